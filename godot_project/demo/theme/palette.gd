extends RefCounted
## Lists the colours of the demo, dark and light, under the same names. demo_theme.gd says what each is for.

const DARK := {
	"background": Color("13161d"), "surface": Color("1b2029"), "raised": Color("252c38"),
	"inset": Color("14181f"),
	"outline": Color("323b4a"), "text": Color("e8edf5"), "muted": Color("98a4b8"), "faint": Color("5d697d"),
	"accent": Color("7fe896"), "on_accent": Color("0b2413"), "accent_soft": Color("1f3a2b"),
	"info": Color("77b0ff"), "info_soft": Color("20324d"), "engine": Color("8a96ac"),
	"bad": Color("ff7b7b"), "bad_soft": Color("43222a"), "on_bad": Color("2b0a0d"),
	"warn": Color("f6bd60"), "warn_soft": Color("40331f"), "odd": Color("c79bff"), "odd_soft": Color("342a4b"),
	"shadow": Color(0, 0, 0, 0.35),
}
const LIGHT := {
	"background": Color("eef1f6"), "surface": Color("ffffff"), "raised": Color("e9edf3"),
	"inset": Color("f5f7fa"),
	"outline": Color("d3dae4"), "text": Color("1a2230"), "muted": Color("566276"), "faint": Color("939fb1"),
	"accent": Color("157f43"), "on_accent": Color("ffffff"), "accent_soft": Color("dcf3e3"),
	"info": Color("1d63d1"), "info_soft": Color("dce9fc"), "engine": Color("68748a"),
	"bad": Color("c9303a"), "bad_soft": Color("fbe0e2"), "on_bad": Color("ffffff"),
	"warn": Color("a86500"), "warn_soft": Color("faecd2"), "odd": Color("7a3fd0"), "odd_soft": Color("ece2fb"),
	"shadow": Color(0.1, 0.15, 0.25, 0.12),
}
