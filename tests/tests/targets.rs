//! Checks transcoding for readers that lack types: a dialect or an older Godot 4. Types that they lack are
//! refused with their path; forms that they would misread are written in another form.

use variant_core::{Dialect, ErrorKind, Rules, Target, VariantType, transcode};
use variant_testkit::hex;

/// Tests what each target refuses, with the path, and what it writes in another form.
#[test]
fn targets_refuse_by_path_or_write_untyped() {
    let target = |version| Target::godot_4(version).unwrap();
    let in_array = |bytes: &str| hex::bytes(&format!("1c000000 01000000 {bytes}"));
    let rid = in_array("17000000 0700000000000000");
    let signal = in_array("1a000000 01000000 61000000 0700000000000000");
    let vector4s = in_array("26000000 00000000");
    let wide_vector4 = in_array("0c000100 0000000000000000000000000000000000000000000000000000000000000000");
    let refused = [
        (&rid, "4.1", "4.2", VariantType::Rid),
        (&signal, "4.0", "4.2", VariantType::Signal),
        (&vector4s, "4.2", "4.3", VariantType::PackedVector4Array),
        (&wide_vector4, "4.1", "4.2", VariantType::Vector4),
    ];
    for (bytes, before, since, ty) in refused {
        let error = transcode(bytes, &Rules::engine(), target(before)).unwrap_err();
        assert_eq!((error.kind(), error.path().to_string()), (ErrorKind::NotInDialect { ty }, "[0]".into()));
        assert_eq!(&transcode(bytes, &Rules::engine(), target(since)).unwrap(), bytes, "{since}");
        let godot_3 = transcode(bytes, &Rules::engine(), Target::newest(Dialect::Godot3)).unwrap_err();
        assert_eq!(godot_3.kind(), ErrorKind::NotInDialect { ty });
    }
    let typed_array = hex::bytes("1c000100 02000000 00000000");
    let typed_dictionary = hex::bytes("1b000500 02000000 02000000 00000000");
    let written = |bytes: &[u8], target| transcode(bytes, &Rules::engine(), target).unwrap();
    assert_eq!(written(&typed_array, target("4.3")), typed_array);
    assert_eq!(written(&typed_array, target("4.2")), hex::bytes("1c000000 00000000"));
    assert_eq!(written(&typed_dictionary, target("4.4")), typed_dictionary);
    assert_eq!(written(&typed_dictionary, target("4.3")), hex::bytes("1b000000 00000000"));
    assert_eq!(written(&typed_array, Target::newest(Dialect::Godot3)), hex::bytes("13000000 00000000"));
    // A double-precision build's vector becomes one of singles for a reader that knows no others.
    let wide = hex::bytes("05000100 9a9999999999b93f 0000000000000040");
    assert_eq!(written(&wide, Target::newest(Dialect::Godot3)), hex::bytes("05000000 cdcccc3d 00000040"));
}

#[test]
fn scripts_do_not_cross() {
    let object = |value: &str| {
        hex::bytes(&format!("18000000 04000000 4e6f6465 01000000 06000000 736372697074 0000 {value}"))
    };
    let rules = Rules { full_objects: true, ..Rules::engine() };
    let with_script = object("04000000 01000000 61000000");
    for target in [Target::godot_4("4.2").unwrap(), Target::newest(Dialect::Godot3)] {
        let error = transcode(&with_script, &rules, target).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::NotInDialect { ty: VariantType::Object });
        assert_eq!(error.path().to_string(), "script");
        assert!(transcode(&object("00000000"), &rules, target).is_ok());
    }
    assert_eq!(transcode(&with_script, &rules, Target::godot_4("4.3").unwrap()).unwrap(), with_script);
    let mut godot_3 = with_script;
    godot_3[0] = 17;
    let error = transcode(&godot_3, &rules.of_dialect(Dialect::Godot3), Target::default()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::NotInDialect { ty: VariantType::Object });
    // A path of that name is not a script.
    let path = hex::bytes(
        "1c000000 02000000 16000000 01000080 00000000 00000000 06000000 7363726970740000 0200000001000000",
    );
    assert!(transcode(&path, &rules, Target::newest(Dialect::Godot3)).is_ok());
}
