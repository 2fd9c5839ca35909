extends "suite.gd"
## Drives the editor's panel and the form of schemas by their controls, in a process of their own without a
## window. The drivers are in inspector/.

## The reason why run.gd skips this suite in a packed game.
const EDITOR_ONLY := "starts scripts of the checkout"
const ONCE := "is about the editor"

const EngineProcess := preload("load/engine_process.gd")
const Looks := preload("res://addons/variant_stream/editor/looks.gd")
const Picture := preload("res://addons/variant_stream/editor/saves/picture.gd")
const Unpacked := preload("res://addons/variant_stream/editor/unpacked.gd")
const Splice := preload("res://addons/variant_stream/editor/splice.gd")
const ValueText := preload("res://addons/variant_stream/editor/schema/value_text.gd")
const Document := preload("res://addons/variant_stream/editor/document.gd")
const Pasted := preload("res://addons/variant_stream/editor/pasted.gd")


func test_panel() -> void:
	_drive("panel_drive.gd")


func test_packed_bytes() -> void:
	_drive("packed_drive.gd")


func test_saves() -> void:
	_drive("saves_drive.gd")


func test_schema_form() -> void:
	_drive("schema_drive.gd")


## Tests a limit on the size of files, which looks like a full disk to a program, and a folder that takes no
## file.
func test_a_schema_that_cannot_be_saved() -> void:
	if OS.get_name() == "Windows":
		skip("there is no such limit and no such mode of folders on Windows")
		return
	var folder := ProjectSettings.globalize_path("user://schema_save")
	var path := folder.path_join("old.vschema.json")
	DirAccess.make_dir_recursive_absolute(folder)
	FileAccess.open(path, FileAccess.WRITE).store_string(VariantSchema.any().to_json())
	var words := EngineProcess.command("res://tests/inspector/schema_save.gd", [path])
	for first: Array in [["limited.sh"], ["read_only_folder.sh", folder]]:
		var script := ProjectSettings.globalize_path("res://tests/stream/" + first[0])
		var output := []
		var code := OS.execute("sh", PackedStringArray([script] + first.slice(1)) + words, output, true)
		if code == 77:
			skip("this user may write into every folder")
			continue
		check(code == 0 and str(output[0]).contains("PASS"), "%s ended with %d: %s" % [first[0], code, output[0]])
		check(str(output[0]).contains("cannot be saved and is what it was"), "nothing is said: %s" % output[0])
	DirAccess.remove_absolute(path)
	DirAccess.remove_absolute(folder)


## Tests 16 MiB; with --long 100.
func test_large_file() -> void:
	_drive("large_drive.gd", ["--mebibytes=100" if long else "--mebibytes=16"])


## Tests that the name of a file neither turns the panel's text round nor begins a line in it.
func test_names_stay_on_their_line() -> void:
	for row: Array in [["a\u202eb.save", "a\\u202eb.save"], ["a\nb", "a\\u000ab"], ["a\u2028\u061c", "a\\u2028\\u061c"],
			["a\U0e0041", "a\\udb40\\udc41"], ["имя 名前 😀.save", "имя 名前 😀.save"], ["", ""]]:
		check_same(Looks.shown(row[0]), row[1], "shown")
		check_same(Looks.short(row[0]), row[1].replace("\\u000a", " "), "short")
	var document: RefCounted = Document.of_file("user://no such \u202efile")
	check(not (document._read_file() as String).contains("\u202e"), "a reason")


func test_pasted_text() -> void:
	var bytes := var_to_bytes({"hp": 80})
	var digits := bytes.hex_encode()
	var spaced := ""
	for i in bytes.size():
		spaced += "0x%02x, " % bytes[i]
	var base64 := Marshalls.raw_to_base64(bytes)
	for text: String in [digits, digits.to_upper(), spaced, "\n  %s\n" % digits, str(bytes), base64, var_to_str(bytes),
			"PackedByteArray(%s)" % bytes, "PackedByteArray(\"%s\")" % base64, "\"%s\"" % digits, "'%s'" % base64,
			"b'%s'" % _escaped(bytes), _escaped(bytes), "unsigned char save[] = {\n%s\n};\nunsigned int save_len = 28;" % spaced]:
		check_bytes(Pasted.read(text).bytes, bytes, text)
	check_bytes(Pasted.read("0x1b, 0x0, 0x0, 0x0").bytes, PackedByteArray([27, 0, 0, 0]), "a digit alone")
	check_bytes(Pasted.read("1b0\r\n00000").bytes, PackedByteArray([27, 0, 0, 0]), "digits that are folded")
	# Numbers that are no pairs of digits do not run into each other.
	for text: String in ["27, 0, 0, 10", "0 0 0 0", "1 b 0 0"]:
		check_same(Pasted.read(text).bytes, PackedByteArray(), text)
		check(Pasted.read(text).error.contains("[brackets]"), text)
	for rest in 3:
		var odd := PackedByteArray([0xFB, 0xFF, 0xBE]) + bytes + PackedByteArray([0xFB, 0xEF, 0xFF]).slice(0, rest)
		var plain := Marshalls.raw_to_base64(odd)
		var safe := plain.replace("+", "-").replace("/", "_")
		check(safe.contains("-") and safe.contains("_"), "both signs are tried")
		for text: String in [plain, plain.rstrip("="), safe, safe.rstrip("="), safe.insert(8, "\r\n").rstrip("=")]:
			check_bytes(Pasted.read(text).bytes, odd, text)
	for text: String in ["", "xyz!", "some_words", "AAAAB", "AAA==", "A===", "AA=A", "123", "[1, 2, 300]", "[a]", "PackedByteArray(256)", "PackedByteArray(ab)", "\"", "\\x1bab\\x00"]:
		check_same(Pasted.read(text).bytes, PackedByteArray(), text)


## Tests the texts that gdvar --hex is tested with, which reads the same.
func test_pasted_text_that_gdvar_reads() -> void:
	var table := ProjectSettings.globalize_path("res://").path_join("../tests/pasted.json")
	var rows: Array = JSON.parse_string(FileAccess.get_file_as_string(table))
	check(rows.size() > 60, "%d rows" % rows.size())
	for row: Dictionary in rows:
		var read: Dictionary = Pasted.read(row.text)
		var want: PackedByteArray = (row.bytes as String).hex_decode() if row.bytes != null else PackedByteArray()
		check_bytes(read.bytes, want, row.text)
		check_same((read.error as String).is_empty(), row.bytes != null, "the error of " + row.text)


## Tests that offsets are no bytes, and that a dump that does not hold all of them is refused.
func test_pasted_dumps() -> void:
	var words := "68 65 6c 6c 6f 00 1b 7c  77 6f 72 3e 64 20 30 31"
	var bytes := (words + "616263").replace(" ", "").hex_decode()
	for dump: String in [
			"00000000  %s  |hello..|wor>d 01|\n00000010  61 62 63            |abc|\n00000013\n" % words,
			"00000000  %s\n00000010  61 62 63\n" % words,
			"00000000: 6865 6c6c 6f00 1b7c 776f 723e 6420 3031  hello..|wor>d 01\n00000010: 6162 63                                  abc\n",
			"0000000 %s\n0000020 61 62 63\n0000023\n" % words,
			"0000000 %s\n0000016 61 62 63\n0000019\n" % words,
			"000000 %s >hello..|wor.d 01<\n000010 61 62 63  >abc<\n000013" % words,
			"00001230: 6865 6c6c 6f00 1b7c 776f 723e 6420 3031\n00001240: 6162 63"]:
		check_bytes(Pasted.read(dump).bytes, bytes, dump)
	for line: String in ["00000000  1b 00 00 00", "00000000: 1b00 0000  ....", "00000000 | 1b 00 00 00 | Dictionary",
			"00000000  1b 00 00 00  |....|"]:
		check_bytes(Pasted.read(line).bytes, PackedByteArray([27, 0, 0, 0]), line)
	check_bytes(Pasted.read("00000000: 7b22 6122 3a20 317d  {\"a\": 1}").bytes, "{\"a\": 1}".to_utf8_buffer(), "brackets in the text")
	check_bytes(Pasted.read("1b000000 01000000\n1b000000 02000000").bytes, "1b000000010000001b00000002000000".hex_decode(), "no dump")
	check_bytes(Pasted.read("1b00:0000").bytes, "1b000000".hex_decode(), "colons between bytes")
	check_bytes(Pasted.read("1b000000\n01000000").bytes, "1b00000001000000".hex_decode(), "no offsets")
	var zeros := PackedByteArray()
	zeros.resize(64)
	check_bytes(Pasted.read("00000000  %s\n*\n00000040\n" % "00 ".repeat(16)).bytes, zeros, "lines that are left out")
	for dump: String in [
			"0000000 6568 6c6c 006f\n0000006", "00000000  %s\n00000020  61\n" % words, "0000000 062550 066154\n0000004\n",
			"00000000  %s\n*\nffffffff\n" % words, VariantStream.dump(var_to_bytes("x".repeat(300)))]:
		check(Pasted.read(dump).error.begins_with("a dump"), "%s is read as %s" % [dump, Pasted.read(dump)])
	for value: Variant in [{"a|b": [1, 2.5]}, {"a{b}": 1}, "x", [Vector2i.ONE, {}]]:
		check_bytes(Pasted.read(VariantStream.dump(var_to_bytes(value))).bytes, var_to_bytes(value), "a dump of %s" % str(value))


func test_what_an_engine_compressed() -> void:
	for mode in 4:
		for size: int in [0, 1, 15, 16, 4095, 4096, 4097, 100_000]:
			var bytes := PackedByteArray(range(size).map(func(i: int) -> int: return i * i % 251))
			check_bytes(Unpacked.read(_compressed(bytes, mode), _never).bytes, bytes, "mode %d, %d bytes" % [mode, size])
	var plain := var_to_bytes({"hp": 80})
	check_bytes(Unpacked.read(plain, _never).bytes, plain, "what is not compressed")


func test_saves_are_opened_and_not_written() -> void:
	var save := VariantSave.new()
	var state := {"gold": 7, "bag": range(3)}
	var packed := save.to_bytes(state, {"level": 1})
	var unpacked: Dictionary = Unpacked.read(packed, _never)
	check_bytes(unpacked.bytes, var_to_bytes(state), unpacked.error)
	check_same(unpacked.layer, "save", "the layer")
	packed[packed.size() / 2] ^= 1
	check(Unpacked.read(packed, _never).error.contains("damaged"), Unpacked.read(packed, _never).error)
	save.password = "s3cret"
	check(Unpacked.read(save.to_bytes(state), _never).error.contains("--password"), "an encrypted save")
	check(Splice.save("user://slot1.save", var_to_bytes(state), "save").contains("gdvar edit"), "a save is written")
	check(not FileAccess.file_exists("user://slot1.save"), "a file is there")


## Tests the picture of a save, which may be anybody's: a size that its head only claims opens nothing.
func test_pictures_of_saves() -> void:
	var image := Image.create_empty(40, 20, false, Image.FORMAT_RGB8)
	for bytes: PackedByteArray in [image.save_png_to_buffer(), image.save_webp_to_buffer(), image.save_webp_to_buffer(true, 0.5),
			image.save_jpg_to_buffer()]:
		check_same(Picture.size_of(bytes), Vector2i(40, 20), "size")
		check_same(Picture.read(bytes, 10).get_size(), Vector2(20, 10), "icon")
	var vast := image.save_png_to_buffer()
	vast[16] = 0x7F
	check_same(Picture.read(vast, 10), null, "a picture of 2 million pixels across")
	var minus := image.save_png_to_buffer()
	minus[16] = 0xFF
	for bytes: PackedByteArray in [minus, PackedByteArray(), "RIFF".to_ascii_buffer(), "no picture, but as long as one's head is".to_ascii_buffer(),
			image.save_jpg_to_buffer().slice(0, 60)]:
		check_same(Picture.read(bytes, 10), null, "no picture")


## Tests damaged compressed bytes: no size in them is trusted, and the result is bounded by the bytes that are
## there.
func test_damaged_compressed_bytes_are_refused() -> void:
	var packed := _compressed(var_to_bytes(range(3000)), FileAccess.COMPRESSION_FASTLZ)
	for size: int in [4, 15, 16, 20, packed.size() / 2]:
		check(Unpacked.read(packed.slice(0, size), _never).error.contains("damaged"), "the first %d bytes" % size)
	for at: int in [4, 8, 12]:
		for word: int in [0xFFFFFFFF, 0x7FFFFFFF, 0 if at == 8 else 9]:
			var spoiled := packed.duplicate()
			spoiled.encode_u32(at, word)
			check(not Unpacked.read(spoiled, _never).error.is_empty(), "%d as the word at %d" % [word, at])
	var vast := packed.duplicate()
	vast.encode_u32(12, 3 << 30)
	check(Unpacked.read(vast, _never).error.contains("more than 2 GiB"), "more than is shown of a plain file")
	var zeros := PackedByteArray()
	zeros.resize(8 << 20)
	check(Unpacked.read(_compressed(zeros, FileAccess.COMPRESSION_ZSTD), _never).error.contains("100 times"), "a bomb")


## Tests the colours of a dark editor on white: those of text can be read, those behind it can be noticed and
## leave it readable.
func test_colours_of_a_light_theme() -> void:
	var control := Label.new()
	control.add_theme_color_override(&"font_color", Color(0.9, 0.9, 0.9))
	var dark := [Looks.accent(control), Looks.error(control), Looks.success(control), Looks.warning(control)]
	check_same(dark, [Color(0.34, 0.62, 1.0), Color(1.0, 0.47, 0.42), Color(0.45, 0.95, 0.5), Color(1.0, 0.87, 0.4)], "dark")
	for black: float in [0.0, 0.25]:
		control.add_theme_color_override(&"font_color", Color(black, black, black))
		var light := [Looks.accent(control), Looks.error(control), Looks.success(control), Looks.warning(control)]
		for color: Color in light:
			check(Looks.contrast_on_white(color) >= 4.5, "%s is too pale" % color)
			var mark := Color.WHITE.blend(Looks.faint(color, 0.3))
			check(Looks.contrast_on_white(mark) > 1.25, "a mark of %s cannot be seen" % color)
			check(Looks.contrast_on_white(mark) * 4.5 < Looks.contrast_on_white(Looks.text(control)), "text on a mark of %s" % color)
		check(Looks.contrast_on_white(Looks.dim(control)) >= 3.0, "dim text")
	control.free()


func test_typed_values() -> void:
	for value: Variant in [null, true, -7, 0.5, 1e-300, -INF, "a \"; Object(]\\", &"Object(", NodePath("../a:b"), Vector2i(1, 2),
			Transform3D(), Color.RED, {"hp": [1, {&"k": AABB()}]}, [1, 2] as Array[int], PackedStringArray(["]", "["]), Callable(),
			PackedByteArray([1, 2]), RID(), "\n"]:
		check_same(ValueText.read(var_to_str(value)), [value], var_to_str(value))
	check_same(ValueText.read(" [1, ; a comment with ] and Object(\n 2] ; end"), [[1, 2]], "comments")
	for text: String in ["", " ", "1,", "1, 2", "1] , [2", "{\"hp\": 80} garbage", "[", "\"open", "hp", "Node", "Color.RED", "#ff0000",
			"[".repeat(101) + "]".repeat(101), "&", "Vector2(1", "(1)"]:
		check_same(ValueText.read(text), [], text)


## Tests every form in which the engine's parser makes or loads an object, wherever blanks and comments stand.
func test_typed_objects_are_refused() -> void:
	for text: String in ["Object(Node,\"name\":\"x\")", "[{1: Object ; comment\n (RefCounted)}]", "Resource(\"res://icon.svg\")",
			"ExtResource(\"1\")", "SubResource(\"1\")", "Array[Resource(\"res://a.gd\")]([])", "Array[Node]([])",
			"Dictionary[int, ExtResource(\"1\")]({})", "\"\\\"\" Object(Node)", "[1e5, Object(Node)]", "[1Object(Node)]",
			"\"a\"Object(Node)", "; \"\nObject(Node)"]:
		check_same(ValueText.read(text), [], text)


## Tests that the project opens without the library: the scripts that are loaded before it is looked for name
## none of its classes.
func test_the_plugin_names_no_class_of_the_library() -> void:
	for file: String in ["plugin.gd", "editor/missing_library.gd"]:
		var text := FileAccess.get_file_as_string("res://addons/variant_stream/" + file)
		var named := RegEx.create_from_string("(?m)^[^#\"]*\\bVariant(Stream|Codec|Limits|Schema|Reader|Writer|Job|Outline)\\b")
		check(not text.is_empty() and named.search(text) == null, "%s names a class of the library" % file)


## Tests that the panel uses no names of later engines: an older one would not load the script.
func test_the_panel_needs_no_engine_after_4_3() -> void:
	var later := RegEx.create_from_string("popup_file_dialog\\(|\\.accessibility_|add_dock\\(|Dictionary\\[|@abstract|duplicate_deep\\(")
	for folder: String in ["res://addons/variant_stream/editor", "res://addons/variant_stream/editor/schema", "res://addons/variant_stream/editor/saves"]:
		var files := Array(DirAccess.get_files_at(folder)).filter(func(file: String) -> bool: return file.ends_with(".gd"))
		check(files.size() > 2, "no scripts in " + folder)
		for file: String in files:
			for line in FileAccess.get_file_as_string(folder.path_join(file)).split("\n"):
				check(later.search(line.get_slice("#", 0)) == null, "%s: %s" % [file, line])


static func _escaped(bytes: PackedByteArray) -> String:
	var text := ""
	for byte in bytes:
		text += "\\x%02x" % byte
	return text


static func _compressed(bytes: PackedByteArray, mode: int) -> PackedByteArray:
	var path := "user://compressed.bin"
	var file := FileAccess.open_compressed(path, FileAccess.WRITE, mode)
	file.store_buffer(bytes)
	file.close()
	var packed := FileAccess.get_file_as_bytes(path)
	DirAccess.remove_absolute(path)
	return packed


static func _never() -> bool:
	return false


## Runs a driver; every line that it prints but its last and the names of its drives is a failure.
func _drive(script: String, options := PackedStringArray()) -> void:
	var output := []
	var words := EngineProcess.command("res://tests/inspector/" + script, options)
	var code := OS.execute(words[0], words.slice(1), output, true)
	var lines := str(output[0]).strip_edges().split("\n")
	for line in lines.slice(0, -1):
		check(line.begins_with("ran "), line)
	check(code == 0 and lines[-1].begins_with("== ") and lines[-1].ends_with(" 0 failed"), "%d: %s" % [code, lines[-1]])
	check(lines.size() > 2, "nothing ran")
