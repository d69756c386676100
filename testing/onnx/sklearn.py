"""Compares fitted models and pipelines of scikit-learn, exported by skl2onnx, with what scikit-learn predicts: labels exactly,
numbers within 1e-5.

    python sklearn.py RUNNER [NAME…]

RUNNER is the built testing/onnx/run. Prints a line for each model, and exits with 1 if one of them differs.
"""
import json
import os
import subprocess
import sys
import tempfile
import warnings

# This file has the name of the package: its folder is not where modules are looked up.
sys.path = [p for p in sys.path if os.path.abspath(p or ".") != os.path.dirname(os.path.abspath(__file__))]

import numpy as np
import pandas as pd
import skl2onnx
import sklearn
from skl2onnx.common.data_types import FloatTensorType, StringTensorType
from sklearn.compose import ColumnTransformer
from sklearn.decomposition import PCA
from sklearn.ensemble import (AdaBoostClassifier, ExtraTreesClassifier, ExtraTreesRegressor, GradientBoostingClassifier, GradientBoostingRegressor,
                              RandomForestClassifier, RandomForestRegressor, VotingClassifier)
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.impute import SimpleImputer
from sklearn.linear_model import Lasso, LinearRegression, LogisticRegression, Ridge, SGDClassifier
from sklearn.naive_bayes import BernoulliNB, GaussianNB, MultinomialNB
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from sklearn.neural_network import MLPClassifier, MLPRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import (Binarizer, LabelEncoder, MaxAbsScaler, MinMaxScaler, Normalizer, OneHotEncoder, OrdinalEncoder, PolynomialFeatures,
                                   RobustScaler, StandardScaler)
from sklearn.svm import SVC, SVR, LinearSVC, NuSVC, OneClassSVM
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

warnings.filterwarnings("ignore")
warnings.filterwarnings = lambda *args, **kwargs: None  # scikit-learn turns its own on again
rng = np.random.default_rng(35)
X = rng.standard_normal((120, 5)).astype(np.float32)
SCORE = X @ rng.standard_normal(5) + 0.3 * X[:, 0] * X[:, 1]
TWO = (SCORE > 0).astype(np.int64)
THREE = np.digitize(SCORE, [-1, 1]).astype(np.int64)
NAMED = np.array(["low", "middle", "high"])[THREE]
NUMBER = (SCORE + 0.1 * rng.standard_normal(120)).astype(np.float32)
NEW = rng.standard_normal((40, 5)).astype(np.float32)
COUNTS, NEW_COUNTS = rng.integers(0, 5, (120, 5)).astype(np.float32), rng.integers(0, 5, (40, 5)).astype(np.float32)


def holes(x):
    x = x.copy()
    x[rng.random(x.shape) < 0.2] = np.nan
    return x


def classify(model, y=THREE, **more):
    return lambda: {"model": model.fit(more.get("x", X), y), "zipmap": more.get("zipmap", False), "new": more.get("new", NEW)}


def regress(model):
    return lambda: {"model": model.fit(X, NUMBER)}


def transform(model, x=X, new=NEW):
    return lambda: {"model": model.fit(x), "new": new}


FRAME = pd.DataFrame({"colour": rng.choice(["red", "green", "blue"], 120), "town": rng.choice(["Oslo", "Rome", "Kyiv", "Lima"], 120),
                      "size": X[:, 0], "weight": X[:, 1]})
COLUMNS = [("colour", StringTensorType([None, 1])), ("town", StringTensorType([None, 1])), ("size", FloatTensorType([None, 1])),
           ("weight", FloatTensorType([None, 1]))]
TEXTS = np.array(["the cat sat on the mat", "a dog and a cat", "birds fly south", "the dog sat", "cats and birds on a mat"] * 6)


def columns(estimator):
    parts = ColumnTransformer([("texts", OneHotEncoder(handle_unknown="ignore"), ["colour", "town"]), ("numbers", StandardScaler(), ["size", "weight"])])
    return lambda: {"model": make_pipeline(parts, estimator).fit(FRAME, TWO), "new": FRAME.iloc[::3], "types": COLUMNS}


def words(model, values):
    return lambda: {"model": model.fit(values), "new": values[::2], "types": [("x", StringTensorType([None, values.shape[1]] if values.ndim == 2 else [None]))]}


MODELS = {
    "linear regression": regress(LinearRegression()),
    "ridge": regress(Ridge()),
    "lasso": regress(Lasso(alpha=0.05)),
    "logistic regression, two classes": classify(LogisticRegression(), TWO),
    "logistic regression, three named classes": classify(LogisticRegression(), NAMED),
    "logistic regression with ZipMap": classify(LogisticRegression(), THREE, zipmap=True),
    "logistic regression with ZipMap of names": classify(LogisticRegression(), NAMED, zipmap=True),
    "stochastic gradient descent": classify(SGDClassifier(loss="log_loss", random_state=0), THREE),
    "SVC rbf, three classes": classify(SVC(kernel="rbf")),
    "SVC poly, three classes": classify(SVC(kernel="poly", degree=2, coef0=1.0)),
    "SVC linear, two classes": classify(SVC(kernel="linear"), TWO),
    "SVC rbf, two named classes": classify(SVC(), np.array(["no", "yes"])[TWO]),
    "SVC sigmoid, two classes": classify(SVC(kernel="sigmoid"), TWO),
    "SVC with probabilities, three classes": classify(SVC(probability=True, random_state=0)),
    "SVC with probabilities, two classes": classify(SVC(probability=True, random_state=0), TWO),
    "NuSVC, three named classes": classify(NuSVC(nu=0.2), NAMED),
    "LinearSVC": classify(LinearSVC()),
    "LinearSVC, two classes": classify(LinearSVC(), TWO),
    "SVR rbf": regress(SVR()),
    "SVR poly": regress(SVR(kernel="poly", degree=3, coef0=0.5)),
    "one-class SVM": transform(OneClassSVM(nu=0.3)),
    "decision tree, classes": classify(DecisionTreeClassifier(max_depth=5, random_state=0), NAMED),
    "decision tree, numbers": regress(DecisionTreeRegressor(max_depth=6, random_state=0)),
    "random forest, classes": classify(RandomForestClassifier(20, random_state=0)),
    "random forest, two classes": classify(RandomForestClassifier(20, random_state=0), TWO),
    "random forest, numbers": regress(RandomForestRegressor(20, random_state=0)),
    "gradient boosting, classes": classify(GradientBoostingClassifier(n_estimators=15, random_state=0)),
    "gradient boosting, two classes": classify(GradientBoostingClassifier(n_estimators=15, random_state=0), TWO),
    "gradient boosting, numbers": regress(GradientBoostingRegressor(n_estimators=15, random_state=0)),
    "extra trees, classes": classify(ExtraTreesClassifier(20, random_state=0), NAMED),
    "extra trees, numbers": regress(ExtraTreesRegressor(20, random_state=0)),
    "AdaBoost": classify(AdaBoostClassifier(n_estimators=10, random_state=0)),
    "nearest neighbours, classes": classify(KNeighborsClassifier(5)),
    "nearest neighbours, numbers": regress(KNeighborsRegressor(4)),
    "network, classes": classify(MLPClassifier((16, 8), max_iter=200, random_state=0)),
    "network, two classes": classify(MLPClassifier((8,), max_iter=200, random_state=0), TWO),
    "network, numbers": regress(MLPRegressor(hidden_layer_sizes=(16,), activation="tanh", max_iter=200, random_state=0)),
    "Gaussian naive Bayes": classify(GaussianNB(), NAMED),
    "multinomial naive Bayes": classify(MultinomialNB(), THREE, x=COUNTS, new=NEW_COUNTS),
    "Bernoulli naive Bayes": classify(BernoulliNB(), TWO),
    "voting": classify(VotingClassifier([("a", LogisticRegression()), ("b", DecisionTreeClassifier(max_depth=3, random_state=0))], voting="soft", flatten_transform=False)),
    "standard scaler": transform(StandardScaler()),
    "smallest-largest scaler": transform(MinMaxScaler(clip=True)),
    "largest scaler": transform(MaxAbsScaler()),
    "robust scaler": transform(RobustScaler()),
    "normalizer": transform(Normalizer("l2")),
    "normalizer by sums": transform(Normalizer("l1")),
    "binarizer": transform(Binarizer(threshold=0.2)),
    "polynomial features": transform(PolynomialFeatures(2)),
    "imputer of means": transform(SimpleImputer(), holes(X), holes(NEW)),
    "imputer, scaler and logistic regression": classify(make_pipeline(SimpleImputer(strategy="median"), StandardScaler(), LogisticRegression()), THREE,
                                                        x=holes(X), new=holes(NEW)),
    "scaler and principal components": transform(make_pipeline(StandardScaler(), PCA(3))),
    "principal components and SVC": classify(make_pipeline(StandardScaler(), PCA(3, whiten=True), SVC()), THREE),
    "one-hot encoder of texts": words(OneHotEncoder(sparse_output=False), FRAME[["colour", "town"]].to_numpy(object)),
    "ordinal encoder of texts": words(OrdinalEncoder(), FRAME[["colour", "town"]].to_numpy(object)),
    "label encoder of texts": words(LabelEncoder(), FRAME["town"].to_numpy(object)),
    "columns of texts and numbers, logistic regression": columns(LogisticRegression()),
    "columns of texts and numbers, random forest": columns(RandomForestClassifier(10, random_state=0)),
    "words weighted by their rarity": lambda: {"model": TfidfVectorizer(token_pattern="[a-z]+").fit(TEXTS), "new": TEXTS[:5].reshape(-1, 1),
                                               "types": [("x", StringTensorType([None, 1]))], "call": lambda m, x: m.transform(x.ravel())},
}


def tensors(new, types):
    """Returns the inputs as the runner reads them."""
    all = {}
    for i, (name, kind) in enumerate(types):
        x = new[name].to_numpy().reshape(-1, 1) if isinstance(new, pd.DataFrame) else new
        if isinstance(kind, StringTensorType):
            all[name] = {"type": "string", "shape": list(x.shape), "texts": [str(v) for v in x.ravel()]}
        else:
            all[name] = {"type": "float32", "shape": list(x.shape), "numbers": [float(v) for v in x.ravel()]}
    return all


def array(t):
    return np.array(t.get("texts") if t["type"] == "string" else t.get("numbers", []), object if t["type"] == "string" else None).reshape(t["shape"])


def expected(m, new):
    """Returns what scikit-learn says: labels or numbers, and probabilities or decisions if there are any."""
    if "call" in m:
        return [m["call"](m["model"], new)]
    model = m["model"]
    if hasattr(model, "predict_proba"):
        return [model.predict(new), model.predict_proba(new)]
    if hasattr(model, "classes_") and hasattr(model, "decision_function"):
        return [model.predict(new), model.decision_function(new)]
    if hasattr(model, "predict"):
        return [model.predict(new)]
    return [model.transform(new)]


def differences(m, folder, runner):
    new = m.get("new", NEW)
    types = m.get("types", [("x", FloatTensorType([None, 5]))])
    options = {id(m["model"]): {"zipmap": m["zipmap"]}} if "zipmap" in m and not isinstance(m["model"], LinearSVC) else None
    exported = skl2onnx.convert_sklearn(m["model"], initial_types=types, options=options, target_opset={"": 18, "ai.onnx.ml": 3})
    path = os.path.join(folder, "model.onnx")
    with open(path, "wb") as f:
        f.write(exported.SerializeToString())
    given = tensors(new, types)
    source = os.path.join(folder, "in.json")
    if all(t["type"] == "float32" for t in given.values()):  # JSON has no NaN
        source = os.path.join(folder, "in.npz")
        np.savez(source, **{k: array(t).astype(np.float32) for k, t in given.items()})
    else:
        with open(source, "w") as f:
            json.dump(given, f)
    p = subprocess.run([runner, path, source, os.path.join(folder, "out.json")], capture_output=True, text=True)
    if p.returncode:
        return (p.stderr or p.stdout).strip()[:400]
    with open(os.path.join(folder, "out.json")) as f:
        got = json.load(f)
    got = [got[o.name] for o in exported.graph.output]
    for k, want in enumerate(expected(m, new)):
        want = np.asarray(want.todense() if hasattr(want, "todense") else want)
        g = got[k]
        if isinstance(g, list):  # of maps
            classes = [pair[0] for pair in g[0]]
            order = [classes.index(c) for c in m["model"].classes_.tolist()]
            g = np.array([[row[i][1] for i in order] for row in g])
        else:
            g = array(g)
        if want.dtype.kind in "UO" or k == 0 and hasattr(m["model"], "classes_"):
            if g.ravel().tolist() != want.ravel().tolist():
                return f"{np.sum(g.ravel() != want.ravel())} of {want.size} labels differ"
            continue
        if k == 1 and want.ndim == 1 and g.ndim == 2 and g.shape[1] == 2:  # a decision and its opposite
            g = g[:, 0 if isinstance(m["model"], (SVC, NuSVC)) else 1]
        if g.size != want.size:
            return f"output {k} is {g.shape}, not {want.shape}"
        error = np.max(np.abs(g.reshape(want.shape) - want) / np.maximum(1, np.abs(want)))
        if not error <= 1e-5:
            return f"output {k} differs by {error:.3g}"
    return ""


def main(runner, only):
    failed = 0
    print(f"scikit-learn {sklearn.__version__}, skl2onnx {skl2onnx.__version__}")
    with tempfile.TemporaryDirectory() as folder:
        for name, make in MODELS.items():
            if only and name not in only:
                continue
            try:
                problem = differences(make(), folder, runner)
            except Exception as e:
                problem = f"not exported: {type(e).__name__}: {str(e)[:200]}"
            print(f"{name}: {problem or 'as scikit-learn'}", flush=True)
            failed += bool(problem)
    print(f"{len(only or MODELS) - failed} of {len(only or MODELS)} models as scikit-learn")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
