extends RefCounted
## Serves as a class with a variable of every type, for the tests of VariantClassSet: none ever gets a value of another type.

static var made := 0
## The types that setters were called with, by name.
static var seen := {}

var a_bool := false
var an_int := 1:
	set(value):
		seen[&"an_int"] = typeof(value)
		an_int = value
var a_float := 1.5
var a_string := "x":
	set(value):
		seen[&"a_string"] = typeof(value)
		a_string = value
var a_vector2 := Vector2()
var a_vector2i := Vector2i()
var a_rect2 := Rect2()
var a_rect2i := Rect2i()
var a_vector3 := Vector3()
var a_vector3i := Vector3i()
var a_transform2d := Transform2D()
var a_vector4 := Vector4()
var a_vector4i := Vector4i()
var a_plane := Plane()
var a_quaternion := Quaternion()
var an_aabb := AABB()
var a_basis := Basis()
var a_transform3d := Transform3D()
var a_projection := Projection()
var a_color := Color()
var a_name := &"x"
var a_path := ^"a"
var an_object: RefCounted
var a_dictionary := {}
var an_array := []
var bytes := PackedByteArray()
var ints := PackedInt32Array()
var wide_ints := PackedInt64Array()
var floats := PackedFloat32Array()
var wide_floats := PackedFloat64Array()
var strings := PackedStringArray()
var vectors2 := PackedVector2Array()
var vectors3 := PackedVector3Array()
var colors := PackedColorArray()
var typed_ints: Array[int] = []
var typed_names: Array[StringName] = []
var typed_floats: Array[float] = []


func _init() -> void:
	made += 1
