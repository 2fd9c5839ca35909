extends RefCounted
## Makes the values that an `expr` of a golden case names. The functions have short names because those are
## part of the recorded cases. record.gd records the values.

const Item = preload("res://item.gd")
const ItemRes = preload("res://item_res.gd")
const NodeScript = preload("res://node_script.gd")
const Hidden = preload("res://hidden.gd")
const Gpl = preload("res://gpl.gd")
## Objects to free once everything is recorded.
var _free: Array = []

func H(s: String) -> PackedByteArray: return s.hex_decode()
func rawf64(s: String) -> float: return s.hex_decode().decode_double(0)

func eoid(i: int) -> EncodedObjectAsID:
	var e := EncodedObjectAsID.new()
	e.object_id = i
	return e

func freed():
	var o := Object.new()
	var a := [o]
	o.free()
	return a[0]

func memobj() -> Object:
	var o := Object.new()
	_free.append(o)
	return o

func autofree(o: Object) -> Object:
	_free.append(o)
	return o

func res_named(n: String) -> Resource:
	var r := Resource.new()
	r.resource_name = n
	return r

func res_meta() -> Resource:
	var r := Resource.new()
	r.set_meta("k", 5)
	return r

func item(n: int, s: String):
	var i = Item.new()
	i.count = n
	i.title = s
	return i

func item_nested():
	var i = item(1, "outer")
	i.child = item(2, "inner")
	return i

func shared_twice():
	var r := RefCounted.new()
	return [r, r]

func rng() -> RandomNumberGenerator:
	var r := RandomNumberGenerator.new()
	r.seed = 5
	return r

func nest(n: int) -> Array:
	var a: Array = []
	for i in n: a = [a]
	return a

func big_dict(n: int) -> Dictionary:
	var d := {}
	for i in n: d["k%d" % i] = i
	return d

func ro_dict() -> Dictionary:
	var d := {"a": 1}
	d.make_read_only()
	return d

func ro_array() -> Array:
	var a := [1]
	a.make_read_only()
	return a

func pb(n: int) -> PackedByteArray:
	var p := PackedByteArray()
	for i in n: p.append(i & 255)
	return p

# These type a literal array or dictionary: the parameter gives the literal its type.
func ai(a: Array[int]) -> Array[int]: return a
func af(a: Array[float]) -> Array[float]: return a
func astr(a: Array[String]) -> Array[String]: return a
func asn(a: Array[StringName]) -> Array[StringName]: return a
func av2(a: Array[Vector2]) -> Array[Vector2]: return a
func abool(a: Array[bool]) -> Array[bool]: return a
func adict(a: Array[Dictionary]) -> Array[Dictionary]: return a
func aarr(a: Array[Array]) -> Array[Array]: return a
func anp(a: Array[NodePath]) -> Array[NodePath]: return a
func aref(a: Array[RefCounted]) -> Array[RefCounted]: return a

func aitem(a: Array) -> Array[Item]:
	var r: Array[Item] = []
	for x in a: r.append(x)
	return r

func tdsi(d: Dictionary[String, int]) -> Dictionary[String, int]: return d
func tdvf(d: Dictionary[Variant, float]) -> Dictionary[Variant, float]: return d
func tdsf(d: Dictionary[String, float]) -> Dictionary[String, float]: return d
func tdsa(d: Dictionary[String, Array]) -> Dictionary[String, Array]: return d

func tdnested() -> Dictionary:
	var inner: Dictionary[int, String] = {1: "x"}
	var d: Dictionary[String, Dictionary] = {"i": inner}
	return d

# These make empty typed containers of every kind.
func td_00() -> Dictionary[String, int]: return {}
func td_01() -> Dictionary[int, String]: return {}
func td_02() -> Dictionary[StringName, Variant]: return {}
func td_03() -> Dictionary[Variant, int]: return {}
func td_04() -> Dictionary[Variant, String]: return {}
func td_05() -> Dictionary[int, int]: return {}
func td_06() -> Dictionary[String, Variant]: return {}
func td_07() -> Dictionary[Vector2i, Color]: return {}
func td_08() -> Dictionary[String, Array]: return {}
func td_09() -> Dictionary[String, Dictionary]: return {}
func td_10() -> Dictionary[String, float]: return {}
func td_11() -> Dictionary[float, bool]: return {}
func td_12() -> Dictionary[NodePath, RID]: return {}
func td_13() -> Dictionary[String, PackedByteArray]: return {}
func td_14() -> Dictionary[String, Callable]: return {}
func td_15() -> Dictionary[Callable, Signal]: return {}
func td_16() -> Dictionary[String, Object]: return {}
func td_17() -> Dictionary[Object, String]: return {}
func td_18() -> Dictionary[Object, Object]: return {}
func td_19() -> Dictionary[RefCounted, int]: return {}
func td_20() -> Dictionary[int, RefCounted]: return {}
func td_21() -> Dictionary[String, Resource]: return {}
func td_22() -> Dictionary[Item, int]: return {}
func td_23() -> Dictionary[int, Item]: return {}
func td_24() -> Dictionary[Item, Item]: return {}
func td_25() -> Dictionary[String, Item]: return {}
func td_26() -> Dictionary[ItemRes, Node]: return {}
func td_27() -> Dictionary[PackedVector4Array, Projection]: return {}
func td_28() -> Dictionary[bool, bool]: return {}
func td_29() -> Dictionary[Variant, Variant]: return {}
func ta_bool() -> Array[bool]: return []
func ta_int() -> Array[int]: return []
func ta_float() -> Array[float]: return []
func ta_string() -> Array[String]: return []
func ta_vector2() -> Array[Vector2]: return []
func ta_vector2i() -> Array[Vector2i]: return []
func ta_rect2() -> Array[Rect2]: return []
func ta_rect2i() -> Array[Rect2i]: return []
func ta_vector3() -> Array[Vector3]: return []
func ta_vector3i() -> Array[Vector3i]: return []
func ta_transform2d() -> Array[Transform2D]: return []
func ta_vector4() -> Array[Vector4]: return []
func ta_vector4i() -> Array[Vector4i]: return []
func ta_plane() -> Array[Plane]: return []
func ta_quaternion() -> Array[Quaternion]: return []
func ta_aabb() -> Array[AABB]: return []
func ta_basis() -> Array[Basis]: return []
func ta_transform3d() -> Array[Transform3D]: return []
func ta_projection() -> Array[Projection]: return []
func ta_color() -> Array[Color]: return []
func ta_stringname() -> Array[StringName]: return []
func ta_nodepath() -> Array[NodePath]: return []
func ta_rid() -> Array[RID]: return []
func ta_object() -> Array[Object]: return []
func ta_callable() -> Array[Callable]: return []
func ta_signal() -> Array[Signal]: return []
func ta_dictionary() -> Array[Dictionary]: return []
func ta_array() -> Array[Array]: return []
func ta_packedbytearray() -> Array[PackedByteArray]: return []
func ta_packedint32array() -> Array[PackedInt32Array]: return []
func ta_packedint64array() -> Array[PackedInt64Array]: return []
func ta_packedfloat32array() -> Array[PackedFloat32Array]: return []
func ta_packedfloat64array() -> Array[PackedFloat64Array]: return []
func ta_packedstringarray() -> Array[PackedStringArray]: return []
func ta_packedvector2array() -> Array[PackedVector2Array]: return []
func ta_packedvector3array() -> Array[PackedVector3Array]: return []
func ta_packedcolorarray() -> Array[PackedColorArray]: return []
func ta_packedvector4array() -> Array[PackedVector4Array]: return []
func ta_refcounted() -> Array[RefCounted]: return []
func ta_resource() -> Array[Resource]: return []
func ta_node() -> Array[Node]: return []
func ta_item() -> Array[Item]: return []
func ta_itemres() -> Array[ItemRes]: return []
func ta_nodescript() -> Array[NodeScript]: return []

