extends RefCounted
## Writes results as JUnit XML, the form every CI reads. It knows neither tests nor parts: it gets suites as
## [{name, cases = [{name, seconds, failures: PackedStringArray}]}].


static func write(path: String, title: String, suites: Array[Dictionary]) -> Error:
	var folder := path.get_base_dir()
	if not folder.is_empty():
		DirAccess.make_dir_recursive_absolute(folder)
	var file := FileAccess.open(path, FileAccess.WRITE)
	if file == null:
		return FileAccess.get_open_error()
	file.store_string('<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="%s">\n' % _attribute(title))
	for suite in suites:
		file.store_string(_suite(suite))
	file.store_string("</testsuites>\n")
	return file.get_error()


static func _suite(suite: Dictionary) -> String:
	var failed := 0
	var lines := ""
	for case: Dictionary in suite.cases:
		var failures: PackedStringArray = case.failures
		lines += '    <testcase classname="%s" name="%s" time="%.6f"' % [
			_attribute(suite.name), _attribute(case.name), case.seconds]
		if failures.is_empty():
			lines += "/>\n"
			continue
		failed += 1
		lines += '>\n      <failure message="%s">%s</failure>\n    </testcase>\n' % [
			_attribute(failures[0]), _printable("\n".join(failures)).xml_escape()]
	var head := '  <testsuite name="%s" tests="%d" failures="%d" errors="0" skipped="0">\n' % [
		_attribute(suite.name), suite.cases.size(), failed]
	return head + lines + "  </testsuite>\n"


static func _attribute(text: String) -> String:
	return _printable(text).replace("\n", " ").xml_escape(true)


## Replaces most control characters: XML 1.0 has no form for them, not even an escaped one.
static func _printable(text: String) -> String:
	for code in range(1, 32):
		if code != 9 and code != 10:
			text = text.replace(String.chr(code), "\uFFFD")
	return text
