extends Reference
# Makes the values that the expressions of the golden cases of Godot 3 name.

var _free = []


func let_go():
	for object in _free:
		object.free()


func H(text):
	var bytes = PoolByteArray()
	for i in range(0, text.length(), 2):
		bytes.append(("0x" + text.substr(i, 2)).hex_to_int())
	return bytes


func rep(text, times):
	var all = ""
	for _i in range(times):
		all += text
	return all


func nullobj():
	return bytes2var(H("110001000000000000000000"))


func freed():
	var node = Node.new()
	node.free()
	return node


func autofree(object):
	_free.append(object)
	return object


func eoid(id):
	var object = EncodedObjectAsID.new()
	object.object_id = id
	return object


func res_named(name):
	var resource = Resource.new()
	resource.resource_name = name
	return resource


func res_meta():
	var resource = Resource.new()
	resource.set_meta("k", 5)
	return resource


func nest(levels):
	var array = []
	for _i in range(levels):
		array = [array]
	return array


func big_dict(count):
	var dictionary = {}
	for i in range(count):
		dictionary["k%d" % i] = i
	return dictionary


func pb(count):
	var bytes = PoolByteArray()
	for i in range(count):
		bytes.append(i & 255)
	return bytes
