"""Compares the tags of the structs that testing/files/messages prints with the messages of a generated module of Python.

  messages.py STRUCTS.json caffe_pb2.py exact|loose STRUCT=Message ... +Message.NUMBER ...

The pairs are where to begin; the messages of fields follow. +Message.NUMBER is a field that this definition lacks, but another version
has. With exact, the names of fields are those of the text format, too. The module is not imported: it holds the definition as bytes.
"""
import ast
import json
import re
import sys

from google.protobuf.descriptor_pb2 import FieldDescriptorProto as Field, FileDescriptorProto

TYPES = {"bool": {"BOOL"}, "int32": {"INT32", "ENUM"}, "int64": {"INT64"}, "uint32": {"UINT32"}, "uint64": {"UINT64"}, "float32": {"FLOAT"},
         "float64": {"DOUBLE"}, "string": {"STRING"}, "[]byte": {"BYTES", "MESSAGE"}}


def definition(path):
    """The FileDescriptorProto in a module that protoc generated."""
    tree = ast.parse(open(path).read())
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            given = [k.value for k in node.keywords if k.arg == "serialized_pb"]
            if isinstance(node.func, ast.Attribute) and node.func.attr == "AddSerializedFile":
                given = node.args
            for value in given:
                while isinstance(value, ast.Call):  # _b('…')
                    value = value.args[0]
                if isinstance(value, ast.Constant):
                    text = value.value
                    return FileDescriptorProto.FromString(text if isinstance(text, bytes) else text.encode("latin1"))
    sys.exit(f"{path} has no definition of messages")


def messages(file):
    """All messages, by their full names."""
    def below(prefix, all):
        for m in all:
            yield prefix + m.name, m
            yield from below(prefix + m.name + ".", m.nested_type)

    return dict(below("." + file.package + "." if file.package else ".", file.message_type))


def snake(name):
    return re.sub("(?<!^)([A-Z])", r"_\1", name).lower()


def plain(name):
    return name.lower().replace("_", "")


def enumerations(file, all):
    """The numbers of all enumerations, by their full names."""
    def named(prefix, enums):
        return {prefix + e.name: {v.name: v.number for v in e.value} for e in enums}

    found = named("." + file.package + "." if file.package else ".", file.enum_type)
    for name, m in all.items():
        found |= named(name + ".", m.enum_type)
    return found


def zero(f, enums):
    """Whether the default of a field is zero."""
    if f.type == Field.TYPE_ENUM and f.default_value:
        return enums[f.type_name][f.default_value] == 0
    return f.default_value in ("", "0", "false")


def packed(f, file):
    """Whether a repeated field is packed: in proto3 numbers are, unless the definition says otherwise."""
    if file.syntax == "proto3" and not f.options.HasField("packed"):
        return f.type not in (Field.TYPE_STRING, Field.TYPE_BYTES, Field.TYPE_MESSAGE)
    return f.options.packed


def check(file, structs, exact, pairs, beyond):
    """Yields what differs; counts the compared fields in check.fields."""
    check.fields = 0
    all = messages(file)
    enums, todo, seen = enumerations(file, all), list(pairs), set()
    while todo:
        struct, message = todo.pop()
        if (struct, message) in seen:
            continue
        seen.add((struct, message))
        numbers = {f.number: f for f in all[message].field}
        for field in structs[struct]:
            number, *options = field["Tag"].split(",")
            if not number:  # the rest
                continue
            where = f"{struct}.{field['Name']} (field {number} of {message})"
            f = numbers.get(int(number))
            if f is None:
                if f"{message}.{number}" not in beyond:
                    yield f"{where}: the message has no such field"
                continue
            check.fields += 1
            names = [o.removeprefix("name=") for o in options if o.startswith("name=")] or [snake(field["Name"])]
            if f.name not in names and (exact or plain(f.name) not in (plain(field["Name"]), plain(field["Name"]) + "param")):
                yield f"{where}: its name is {f.name}"
            kind, repeated, pointer = field["Type"], False, False
            if kind.startswith("wire.Numbers["):
                kind, repeated = kind[len("wire.Numbers["):-1], True
            elif kind.startswith("[]") and kind != "[]byte":
                kind, repeated = kind[2:], True
            if kind.startswith("*"):
                kind, pointer = kind[1:], True
            want = Field.Type.Name(f.type).removeprefix("TYPE_")
            if kind in structs:
                if want != "MESSAGE":
                    yield f"{where}: its type is {want}"
                else:
                    todo.append((kind, f.type_name))
            elif "zigzag" in options:
                if want != "SINT" + kind[-2:]:
                    yield f"{where}: its type is {want}"
            elif "fixed" in options:
                if want not in ("FIXED" + kind[-2:], "SFIXED" + kind[-2:]):
                    yield f"{where}: its type is {want}"
            elif want not in TYPES[kind]:
                yield f"{where}: its type is {want}"
            elif not repeated and not pointer and not zero(f, enums):
                yield f"{where}: its default is {f.default_value}, which a pointer would tell from a value"
            if repeated != (f.label == Field.LABEL_REPEATED):
                yield f"{where}: it is {Field.Label.Name(f.label)}"
            if repeated and packed(f, file) != ("packed" in options):
                yield f"{where}: packed is {packed(f, file)}"


structs_file, module, names, *rest = sys.argv[1:]
file = definition(module)
root = "." + file.package + "." if file.package else "."
pairs = [(a, root + b) for a, b in (r.split("=") for r in rest if "=" in r)]
beyond = {root + r[1:] for r in rest if r.startswith("+")}
with open(structs_file) as f:
    problems = list(check(file, json.load(f), names == "exact", pairs, beyond))
for p in problems:
    print(p)
print(f"{check.fields} fields of {file.name} compared, {len(problems)} differ")
sys.exit(bool(problems))
