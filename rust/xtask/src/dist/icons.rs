//! Checks that an icon is visible against the editor's dark and light theme.

use std::fs;
use std::ops::RangeInclusive;
use std::path::Path;

/// The luminance that an icon's colours may have: against the editor's backgrounds, #252525 and #e6e6e6, graphical objects need a
/// contrast of 3 by the Web Content Accessibility Guidelines (WCAG 2.1, 1.4.11).
const VISIBLE: RangeInclusive<f64> = 0.1556..=0.2304;

/// Returns what is wrong with an icon, if anything.
pub(super) fn finding(file: &Path, name: &str) -> Option<String> {
    let Ok(text) = fs::read_to_string(file) else { return Some(format!("there is no icon {name}")) };
    let colours = text.match_indices('#').filter_map(|(at, _)| text.get(at..at + 7));
    let mut colours = colours.filter_map(|colour| Some((colour, luminance(colour)?))).peekable();
    if colours.peek().is_none() {
        return Some(format!("{name} has no colour"));
    }
    let (colour, _) = colours.find(|(_, luminance)| !VISIBLE.contains(luminance))?;
    Some(format!("{name}: {colour} has a contrast of less than 3 in the dark or the light theme"))
}

/// Returns the relative luminance of an sRGB colour, `#rrggbb`, from 0 to 1.
fn luminance(colour: &str) -> Option<f64> {
    let channel = |at: usize| {
        let value = f64::from(u8::from_str_radix(colour.get(at..at + 2)?, 16).ok()?) / 255.0;
        Some(if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) })
    };
    Some(0.2126 * channel(1)? + 0.7152 * channel(3)? + 0.0722 * channel(5)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_visible_has_the_contrast_of_the_guidelines() {
        let [dark, light] = ["#252525", "#e6e6e6"].map(|colour| luminance(colour).unwrap());
        let (least, most) = VISIBLE.into_inner();
        assert!(((least + 0.05) / (dark + 0.05)) >= 3.0 && ((light + 0.05) / (most + 0.05)) >= 3.0);
        assert_eq!((luminance("#ffffff"), luminance("#zzzzzz")), (Some(1.0), None));
    }

    #[test]
    fn pale_icons_are_found() {
        let folder = std::env::temp_dir().join(format!("variant-icons-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let judge = |svg: &str| {
            let file = folder.join("icon.svg");
            fs::write(&file, svg).unwrap();
            finding(&file, "icon.svg")
        };
        assert!(judge("<path stroke=\"#8eef97\"/>").is_some_and(|text| text.contains("#8eef97")));
        assert!(judge("<path/>").is_some());
        assert_eq!(judge("<path stroke=\"#2d9650\"/>"), None);
        fs::remove_dir_all(&folder).unwrap();
        assert!(finding(&folder.join("icon.svg"), "icon.svg").is_some());
    }
}
