extends RefCounted
## Writes a class page of the editor's help as Markdown, for docs/reference. It adds only headings.

const ClassPage := preload("class_page.gd")

## The patterns by which the help marks names up; each name becomes code.
const METHOD := "\\[method (?:@GlobalScope\\.)?([^\\]]+)\\]"
const NAME := "\\[(?:member|constant|enum|param|signal|annotation) (?:@GlobalScope\\.|@GDScript\\.)?([\\w.@]+)\\]"
const TYPE := "\\[(bool|int|float|[A-Z]\\w+)\\]"


static func write(page: ClassPage) -> String:
	var lines := PackedStringArray([
		"# %s" % page.name, "",
		"<!-- Made from rust/godot/doc/%s.xml; do not edit. CONTRIBUTING.md says how. -->" % page.name, "",
		"Inherits `%s`. %s" % [page.base, _text(page.brief)], "", _text(page.description), ""])
	if not page.members.is_empty():
		lines.append_array(["## Properties", ""])
	for member in page.members:
		var default := "" if member.default.is_empty() else " = %s" % member.default
		var read_only := "" if member.setter else " (read only)"
		lines.append_array(["### `%s: %s%s`%s" % [member.name, member.type, default, read_only], ""])
		lines.append_array([_text(member.text), ""])
	lines.append_array(["## Methods", ""])
	for method in page.methods:
		lines.append_array(["### `%s`" % signature(method), "", _text(method.text), ""])
	if not page.signals.is_empty():
		lines.append_array(["## Signals", ""])
	for entry in page.signals:
		lines.append_array(["### `%s`" % signature(entry).get_slice(" ->", 0), "", _text(entry.text), ""])
	_append_enums(page, lines)
	return "\n".join(lines).strip_edges() + "\n"


## Returns a signature such as `static decode(bytes: Variant, fallback: Variant = null) -> Variant`.
static func signature(method: Dictionary) -> String:
	var arguments := PackedStringArray()
	for argument: Dictionary in method.arguments:
		var default: String = "" if argument.default.is_empty() else " = " + argument.default
		arguments.append("%s: %s%s" % [argument.name, argument.type, default])
	return "%s%s(%s) -> %s" % [
		"static " if method.kind == "static" else "", method.name, ", ".join(arguments), method.returns]


static func _append_enums(page: ClassPage, lines: PackedStringArray) -> void:
	var of := ""
	for constant in page.constants:
		if constant.of != of:
			of = constant.of
			if lines[-1].begins_with("|"):
				lines.append("")
			lines.append_array(["## enum %s" % of, "", "| Constant | Value | Meaning |", "|---|--:|---|"])
		lines.append("| `%s` | %s | %s |" % [constant.name, constant.value, _text(constant.text)])


## Converts BBCode to Markdown: examples become fenced blocks, paragraphs are parted by an empty line.
static func _text(bbcode: String) -> String:
	var parts := bbcode.replace("[/codeblock]", "[codeblock]").split("[codeblock]")
	var markdown := PackedStringArray()
	for i in parts.size():
		if i % 2 == 1:
			markdown.append("```gdscript\n%s\n```" % parts[i].dedent().strip_edges())
		elif not parts[i].strip_edges().is_empty():
			markdown.append(_prose(parts[i].strip_edges()))
	return "\n\n".join(markdown)


static func _prose(bbcode: String) -> String:
	var lines := PackedStringArray()
	for line in bbcode.split("\n"):
		var text := line.strip_edges()
		# The items of a list stand together, all else is a paragraph of its own.
		if not lines.is_empty() and not (text.begins_with("- ") and lines[-1].begins_with("- ")):
			lines.append("")
		lines.append(inline(text))
	return "\n".join(lines)


static func inline(text: String) -> String:
	text = text.replace("[code]", "`").replace("[/code]", "`").replace("[b]", "**").replace("[/b]", "**")
	text = RegEx.create_from_string(METHOD).sub(text, "`$1()`", true)
	text = RegEx.create_from_string(NAME).sub(text, "`$1`", true)
	return RegEx.create_from_string(TYPE).sub(text, "`$1`", true)
