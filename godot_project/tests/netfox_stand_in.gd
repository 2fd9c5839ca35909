extends RefCounted
## Stands in for netfox's NetworkSchemaSerializer, as its documentation describes that class: it writes a value into a buffer
## and reads one from where the buffer is.


func encode(_value: Variant, _buffer: StreamPeerBuffer) -> void:
	pass


func decode(_buffer: StreamPeerBuffer) -> Variant:
	return null
