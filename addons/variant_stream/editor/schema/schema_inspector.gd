@tool
extends EditorInspectorPlugin
## Puts the form in the place of a VariantSchema's JSON in the inspector, with undo.

const SchemaForm := preload("schema_form.gd")

var undo: EditorUndoRedoManager
## The panel, whose bytes a schema can check.
var panel: Control


func _can_handle(object: Object) -> bool:
	return object is VariantSchema


func _parse_begin(object: Object) -> void:
	var form := SchemaForm.new(object as VariantSchema)
	form.schema_edited.connect(_take_over.bind(object))
	# The form outlives the plugin until the inspector shows something else.
	form.use_wanted.connect(func() -> void:
		if is_instance_valid(panel):
			panel.hold_to(object))
	add_custom_control(form)


func _parse_property(_object: Object, _type: Variant.Type, name: String, _hint: PropertyHint, _text: String,
		_usage: int, _wide: bool) -> bool:
	return name == "json"


func _take_over(json: String, schema: VariantSchema) -> void:
	undo.create_action("Edit schema", UndoRedo.MERGE_DISABLE, schema)
	undo.add_do_property(schema, &"json", json)
	undo.add_undo_property(schema, &"json", schema.json)
	# An undo or redo updates the form; while it is typed it is up to date already.
	undo.add_do_method(schema, &"notify_property_list_changed")
	undo.add_undo_method(schema, &"notify_property_list_changed")
	undo.commit_action(false)
	schema.json = json
	schema.emit_changed()
