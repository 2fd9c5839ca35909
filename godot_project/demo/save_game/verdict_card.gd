extends PanelContainer
## Shows the result of an action in one card: a headline, for a refusal its kind, path and byte, and what is
## left. It judges nothing.

signal restore_pressed

const ErrorNames := preload("res://demo/parts/error_names.gd")


func _ready() -> void:
	%Restore.pressed.connect(func() -> void: restore_pressed.emit())


## Shows a result; `tone` is Accent, Info, Warn or Bad, as in the theme.
func say(tone: String, headline: String, message: String, error := {}) -> void:
	theme_type_variation = tone + "Verdict"
	%Headline.text = headline
	%Message.text = message
	%Chips.visible = error.has("code")
	if error.has("code"):
		%Kind.text = ErrorNames.name_of(error.code)
		%Path.text = error.path
		%Byte.text = "byte %d" % error.byte_offset if error.byte_offset >= 0 else "no byte"
	say_of_backup("")


## Shows a line about the backup; nothing when `text` is empty.
func say_of_backup(text: String, can_restore := false) -> void:
	%Backup.text = text
	%BackupRow.visible = not text.is_empty()
	%Restore.visible = can_restore
