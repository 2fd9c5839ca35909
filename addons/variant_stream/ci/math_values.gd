extends RefCounted
## Builds the fixed-size math types from rows of numbers, for the edge values and the random generator. It
## holds no values of its own.

## The number of components of each math type.
const COMPONENTS := {
	TYPE_VECTOR2: 2, TYPE_VECTOR2I: 2, TYPE_RECT2: 4, TYPE_RECT2I: 4, TYPE_VECTOR3: 3, TYPE_VECTOR3I: 3,
	TYPE_TRANSFORM2D: 6, TYPE_VECTOR4: 4, TYPE_VECTOR4I: 4, TYPE_PLANE: 4, TYPE_QUATERNION: 4, TYPE_AABB: 6,
	TYPE_BASIS: 9, TYPE_TRANSFORM3D: 12, TYPE_PROJECTION: 16, TYPE_COLOR: 4,
}


static func is_whole(type: int) -> bool:
	return type in [TYPE_VECTOR2I, TYPE_VECTOR3I, TYPE_VECTOR4I, TYPE_RECT2I]


## Makes a value of `r`, which holds at least COMPONENTS[type] floats; Vector*i and Rect2i are made by
## from_ints().
static func from_reals(type: int, r: Array) -> Variant:
	match type:
		TYPE_VECTOR2: return Vector2(r[0], r[1])
		TYPE_VECTOR3: return Vector3(r[0], r[1], r[2])
		TYPE_COLOR: return Color(r[0], r[1], r[2], r[3])
		TYPE_RECT2: return Rect2(r[0], r[1], r[2], r[3])
		TYPE_VECTOR4: return Vector4(r[0], r[1], r[2], r[3])
		TYPE_PLANE: return Plane(r[0], r[1], r[2], r[3])
		TYPE_QUATERNION: return Quaternion(r[0], r[1], r[2], r[3])
		TYPE_TRANSFORM2D: return Transform2D(Vector2(r[0], r[1]), Vector2(r[2], r[3]), Vector2(r[4], r[5]))
		TYPE_AABB: return AABB(Vector3(r[0], r[1], r[2]), Vector3(r[3], r[4], r[5]))
		TYPE_BASIS: return _basis(r)
		TYPE_TRANSFORM3D: return Transform3D(_basis(r), Vector3(r[9], r[10], r[11]))
		TYPE_PROJECTION: return Projection(
			Vector4(r[0], r[1], r[2], r[3]), Vector4(r[4], r[5], r[6], r[7]),
			Vector4(r[8], r[9], r[10], r[11]), Vector4(r[12], r[13], r[14], r[15]))
	return null


static func from_ints(type: int, r: Array) -> Variant:
	match type:
		TYPE_VECTOR2I: return Vector2i(r[0], r[1])
		TYPE_VECTOR3I: return Vector3i(r[0], r[1], r[2])
		TYPE_VECTOR4I: return Vector4i(r[0], r[1], r[2], r[3])
		TYPE_RECT2I: return Rect2i(r[0], r[1], r[2], r[3])
	return null


static func _basis(r: Array) -> Basis:
	return Basis(Vector3(r[0], r[1], r[2]), Vector3(r[3], r[4], r[5]), Vector3(r[6], r[7], r[8]))
