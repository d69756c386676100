package onnx

import (
	"math"
	"slices"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nn/model"
)

// linears are the linear models and the support vector machines of the domain ai.onnx.ml.
func linears() map[string]operator {
	return prefixed("ai.onnx.ml.", map[string]operator{"LinearRegressor": linearRegressor, "LinearClassifier": linearClassifier,
		"SVMRegressor": svmRegressor, "SVMClassifier": svmClassifier})
}

// rows returns the features of each example.
func (c *call) rows() [][]float64 {
	x := c.x(0)
	if x.Rank() == 1 {
		x = x.Reshape(1, -1)
	}
	if x.Rank() != 2 {
		c.refuse("want a matrix of features")
	}
	values := nd.ToSlice[float64](x.Detach().AsType(dtype.Float64))
	all := make([][]float64, x.Dim(0))
	for r := range all {
		all[r] = values[r*x.Dim(1) : (r+1)*x.Dim(1)]
	}
	return all
}

// weights are rows of coefficients, and what is added to their products.
type linear struct{ coefficients, intercepts []float64 }

// score returns the sum of products for each of so many rows of coefficients.
func (l linear) score(c *call, x []float64, count int) []float64 {
	width := len(l.coefficients) / max(count, 1)
	if width*count != len(l.coefficients) || width != len(x) {
		c.refuse("%d coefficients for %d results of %d features", len(l.coefficients), count, len(x))
	}
	y := make([]float64, count)
	for k := range y {
		y[k] = dot(l.coefficients[k*width:(k+1)*width], x)
		if k < len(l.intercepts) {
			y[k] += l.intercepts[k]
		}
	}
	return y
}

func dot(a, b []float64) float64 {
	sum := 0.0
	for i := range a {
		sum += a[i] * b[i]
	}
	return sum
}

func linearRegressor(n *node) run {
	l := linear{n.wide("coefficients"), n.wide("intercepts")}
	targets, finish := n.int("targets", 1), n.transform()
	return func(c *call) []model.Value {
		rows := c.rows()
		var scores []float64
		for _, x := range rows {
			scores = append(scores, l.score(c, x, targets)...)
		}
		return one(float32s(finish(scores, targets), len(rows), targets))
	}
}

func linearClassifier(n *node) run {
	l := linear{n.wide("coefficients"), n.wide("intercepts")}
	labels, finish := n.classes("classlabels_ints"), n.transform()
	n.int("multi_class", 0)
	post := n.text("post_transform", "NONE")
	return func(c *call) []model.Value {
		rows := c.rows()
		count := 1
		if len(rows) > 0 && len(rows[0]) > 0 {
			count = len(l.coefficients) / len(rows[0])
		}
		width := count
		if count == 1 && len(labels) == 2 {
			width = 2
		}
		var scores []float64
		for _, x := range rows {
			s := l.score(c, x, count)
			if width != count {
				s = []float64{-s[0], s[0]}
			}
			scores = append(scores, s...)
		}
		finish(scores, width)
		if width > 1 {
			return []model.Value{largest(scores, width, labels), float32s(scores, len(rows), width)}
		}
		threshold := 0.5
		if post == "NONE" {
			threshold = 0
		}
		chosen := make([]any, len(scores))
		for i, s := range scores {
			chosen[i] = int64(0)
			if s >= threshold {
				chosen[i] = int64(1)
				if len(labels) > 0 {
					chosen[i] = labels[0]
				}
			} else if len(labels) > 0 {
				if _, isText := labels[0].(string); isText {
					chosen[i] = ""
				}
			}
		}
		return []model.Value{labelsOf(chosen, []int{len(chosen)}), float32s(scores, len(rows), width)}
	}
}

// machine is a support vector machine.
type machine struct {
	kernel              string
	gamma, coef, degree float64
	vectors             []float64
	coefficients, rho   []float64
}

func (n *node) machine() machine {
	m := machine{kernel: n.text("kernel_type", "LINEAR", "LINEAR", "POLY", "RBF", "SIGMOID"), vectors: n.wide("support_vectors"),
		coefficients: n.wide("coefficients"), rho: n.wide("rho")}
	if p := n.wide("kernel_params"); len(p) >= 3 {
		m.gamma, m.coef, m.degree = p[0], p[1], p[2]
	}
	return m
}

// product is the kernel of two vectors.
func (m machine) product(a, b []float64) float64 {
	switch m.kernel {
	case "POLY":
		return math.Pow(m.gamma*dot(a, b)+m.coef, m.degree)
	case "SIGMOID":
		return math.Tanh(m.gamma*dot(a, b) + m.coef)
	case "RBF":
		sum := 0.0
		for i := range a {
			sum += (a[i] - b[i]) * (a[i] - b[i])
		}
		return math.Exp(-m.gamma * sum)
	}
	return dot(a, b)
}

// products returns the kernels of a row with all support vectors.
func (m machine) products(c *call, x []float64, count int) []float64 {
	if count*len(x) != len(m.vectors) {
		c.refuse("%d numbers of %d support vectors of %d features", len(m.vectors), count, len(x))
	}
	y := make([]float64, count)
	for k := range y {
		y[k] = m.product(x, m.vectors[k*len(x):(k+1)*len(x)])
	}
	return y
}

func svmRegressor(n *node) run {
	m, count, oneClass := n.machine(), n.int("n_supports", 0), n.flag("one_class")
	finish := n.transform()
	n.int("n_targets", 1)
	if len(m.rho) < 1 {
		n.refuse("no rho")
	}
	return func(c *call) []model.Value {
		rows := c.rows()
		scores := make([]float64, len(rows))
		for r, x := range rows {
			terms := x
			if count > 0 {
				terms = m.products(c, x, count)
			}
			if len(terms) != len(m.coefficients) {
				c.refuse("%d coefficients for %d terms", len(m.coefficients), len(terms))
			}
			scores[r] = dot(m.coefficients, terms) + m.rho[0]
			if oneClass {
				if scores[r] > 0 {
					scores[r] = 1
				} else {
					scores[r] = -1
				}
			}
		}
		return one(float32s(finish(scores, 1), len(rows), 1))
	}
}

// svmClassifier compares the classes in pairs: the one that wins most pairs is the label. With probabilities (prob_a and
// prob_b) the scores are those of the classes.
func svmClassifier(n *node) run {
	m, per := n.machine(), n.ints("vectors_per_class")
	labels, probA, probB := n.classes("classlabels_ints"), n.wide("prob_a"), n.wide("prob_b")
	finish := n.transform()
	classes, total := max(len(labels), 1), 0
	var starts []int
	for _, k := range per {
		starts = append(starts, total)
		if k < 0 {
			n.refuse("attribute vectors_per_class is %d", per)
			return nil
		}
		total += k
	}
	pairs := classes * (classes - 1) / 2
	if total > 0 && (len(per) != classes || len(m.coefficients) != total*(classes-1) || len(m.rho) < pairs) ||
		probA != nil && (len(probA) < pairs || len(probB) < pairs) || len(m.rho) < 1 {
		n.refuse("lists of lengths that do not fit %d classes and %d support vectors", classes, total)
		return nil
	}
	positive := slices.Min(append([]float64{0}, m.coefficients...)) >= 0
	return func(c *call) []model.Value {
		rows := c.rows()
		var scores []float64
		var chosen []any
		width := 0
		for _, x := range rows {
			var row, votes []float64
			if total == 0 {
				row = linear{m.coefficients, slices.Repeat(m.rho[:1], classes)}.score(c, x, classes)
			} else {
				row, votes = m.pairs(m.products(c, x, total), per, starts)
			}
			hasProbability := probA != nil && total > 0
			if hasProbability {
				row = probabilities(row, probA, probB, classes)
			}
			ranked := row
			if votes != nil {
				ranked = votes
			}
			best := 0
			for k, v := range ranked {
				if v > ranked[best] {
					best = k
				}
			}
			label := any(int64(best))
			if best < len(labels) {
				label = labels[best]
			}
			if len(m.rho) == 1 && len(labels) == 2 && !hasProbability {
				// Two classes: one number decides.
				if positive && ranked[best] >= 0.5 || !positive && ranked[best] > 0 && votes == nil {
					label = labels[1]
				}
				if len(row) == 1 {
					row = []float64{-row[0], row[0]}
				}
			}
			width = len(row)
			scores = append(scores, row...)
			chosen = append(chosen, label)
		}
		if width > 0 {
			finish(scores, width)
		}
		return []model.Value{labelsOf(chosen, []int{len(chosen)}), float32s(scores, len(rows), max(width, 1))}
	}
}

// pairs returns the decision of each pair of classes, and how many pairs each class wins.
func (m machine) pairs(kernels []float64, per, starts []int) (decisions, votes []float64) {
	total := len(kernels)
	votes = make([]float64, len(per))
	for i := range per {
		for j := i + 1; j < len(per); j++ {
			a, b := starts[i], starts[j]
			s := m.rho[len(decisions)] + dot(m.coefficients[(j-1)*total+a:][:per[i]], kernels[a:a+per[i]]) +
				dot(m.coefficients[i*total+b:][:per[j]], kernels[b:b+per[j]])
			decisions = append(decisions, s)
			if s > 0 {
				votes[i]++
			} else {
				votes[j]++
			}
		}
	}
	return decisions, votes
}

// probabilities couples the probabilities of pairs.
//
// Source: T.-F. Wu, C.-J. Lin, R. Weng, Probability estimates for multi-class classification by pairwise coupling, 2004.
func probabilities(decisions, a, b []float64, classes int) []float64 {
	const least = 1e-7
	r := make([][]float64, classes)
	for i := range r {
		r[i] = make([]float64, classes)
	}
	pair := 0
	for i := range classes {
		for j := i + 1; j < classes; j++ {
			p := min(max(1-logistic(decisions[pair]*a[pair]+b[pair]), least), 1-least)
			r[i][j], r[j][i] = p, 1-p
			pair++
		}
	}
	q, p := make([][]float64, classes), make([]float64, classes)
	for t := range q {
		p[t], q[t] = 1/float64(classes), make([]float64, classes)
		for j := range classes {
			if j != t {
				q[t][t] += r[j][t] * r[j][t]
				q[t][j] = -r[j][t] * r[t][j]
			}
		}
	}
	qp := make([]float64, classes)
	for range max(100, classes) {
		whole := 0.0
		for t := range qp {
			qp[t] = dot(q[t], p)
			whole += p[t] * qp[t]
		}
		worst := 0.0
		for t := range qp {
			worst = max(worst, math.Abs(qp[t]-whole))
		}
		if worst < 0.005/float64(classes) {
			break
		}
		for t := range qp {
			d := (whole - qp[t]) / q[t][t]
			p[t] += d
			whole = (whole + d*(d*q[t][t]+2*qp[t])) / ((1 + d) * (1 + d))
			for j := range qp {
				qp[j] = (qp[j] + d*q[t][j]) / (1 + d)
				p[j] /= 1 + d
			}
		}
	}
	return p
}
