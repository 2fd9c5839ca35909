//! Runs a game for the web in Chromium without a window, for `cargo xtask page-run`.
//!
//! It serves the folder, prints what the page prints, and ends with the game's exit code.

use std::env;
use std::fs::{self, File};
use std::io::Write;
use std::path::{Component, Path, PathBuf};
use std::process::{Child, Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow};
use serde_json::json;
use tiny_http::{Header, Method, Request, Response, Server};

use crate::files::remove_tree;
use crate::workspace::Workspace;

const PAGE: &str = include_str!("page.html");
/// The environment variable that names another browser than `chromium`.
const VARIABLE: &str = "CHROMIUM";
/// The time after which a browser that has requested nothing counts as failed.
const PATIENCE: Duration = Duration::from_secs(60);

/// Runs the game; returns its exit code, or 3 when the browser broke off.
pub(crate) fn run(workspace: &Workspace, folder: &Path, script: &str, words: &[String]) -> Result<ExitCode> {
    let page = page(folder, script, words)?;
    let server = Server::http("127.0.0.1:0").map_err(|error| anyhow!("no port is free: {error}"))?;
    let address = server.server_addr().to_ip().context("the server has no address")?;
    let profile = workspace.target().join(format!("browser-{}", std::process::id()));
    let mut browser = Browser::open(&format!("http://{address}/"), profile)?;
    let code = serve(&server, folder, &page, &mut browser)?;
    Ok(ExitCode::from(code))
}

fn page(folder: &Path, script: &str, words: &[String]) -> Result<String> {
    let libraries: Vec<String> = fs::read_dir(folder)
        .with_context(|| format!("there is no {}", folder.display()))?
        .flatten()
        .filter_map(|entry| entry.file_name().into_string().ok())
        .filter(|name| name.starts_with("lib") && name.ends_with(".wasm"))
        .collect();
    // `--headless` is left out: with it an engine for the web chooses the display that draws nothing, and
    // crashes.
    let given = ["--audio-driver", "Dummy", "--no-header", "--"].into_iter();
    let given: Vec<&str> = given.chain(words.iter().map(String::as_str)).collect();
    Ok(PAGE
        .replace("{script}", &json!(script).to_string())
        .replace("{arguments}", &json!(given).to_string())
        .replace("{libraries}", &json!(libraries).to_string()))
}

/// Answers the page's requests until it reports the end of the game.
fn serve(server: &Server, folder: &Path, page: &str, browser: &mut Browser) -> Result<u8> {
    let opened = Instant::now();
    loop {
        let Some(mut request) = server.recv_timeout(Duration::from_millis(200))? else {
            if browser.has_ended()? {
                eprintln!("the browser has ended before the game");
                return Ok(3);
            }
            // A game that computes sends nothing for long, though its page is there.
            if !browser.has_come && opened.elapsed() > PATIENCE {
                eprintln!("the browser does not ask for the page");
                return Ok(3);
            }
            continue;
        };
        browser.has_come = true;
        let text = match request.method() {
            Method::Post => text(&mut request)?,
            _ => String::new(),
        };
        match request.url() {
            "/" => respond(request, page.as_bytes().to_vec(), "text/html")?,
            "/lines" => {
                print!("{text}");
                std::io::stdout().flush()?;
                respond(request, Vec::new(), "text/plain")?;
            }
            "/end" => {
                respond(request, Vec::new(), "text/plain")?;
                return Ok(text.parse().unwrap_or(3));
            }
            _ => file(request, folder)?,
        }
    }
}

fn text(request: &mut Request) -> Result<String> {
    let mut bytes = Vec::new();
    request.as_reader().read_to_end(&mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// Answers with a file of the folder, and of no other folder.
fn file(request: Request, folder: &Path) -> Result<()> {
    let name = PathBuf::from(request.url().trim_start_matches('/'));
    let is_inside = name.components().all(|part| matches!(part, Component::Normal(_)));
    match is_inside.then(|| fs::read(folder.join(&name))) {
        Some(Ok(bytes)) => {
            let kind = match name.extension().and_then(|extension| extension.to_str()) {
                Some("js") => "text/javascript",
                Some("wasm") => "application/wasm",
                _ => "application/octet-stream",
            };
            respond(request, bytes, kind)
        }
        _ => Ok(request.respond(Response::empty(404))?),
    }
}

fn respond(request: Request, bytes: Vec<u8>, kind: &str) -> Result<()> {
    let header = |name: &str, value: &str| {
        Header::from_bytes(name, value).map_err(|()| anyhow!("no header: {name}: {value}"))
    };
    let response = Response::from_data(bytes)
        .with_header(header("Content-Type", kind)?)
        // Threads in a browser need these two headers.
        .with_header(header("Cross-Origin-Opener-Policy", "same-origin")?)
        .with_header(header("Cross-Origin-Embedder-Policy", "require-corp")?);
    // A page that was closed meanwhile needs no answer.
    let _ = request.respond(response);
    Ok(())
}

/// Holds a browser process and its profile; both are removed when this is dropped.
struct Browser {
    child: Child,
    profile: PathBuf,
    has_come: bool,
}

impl Browser {
    fn open(address: &str, profile: PathBuf) -> Result<Self> {
        remove_tree(&profile)?;
        fs::create_dir_all(&profile)?;
        let program = env::var_os(VARIABLE).unwrap_or_else(|| "chromium".into());
        let log = File::create(profile.join("log.txt"))?;
        let mut command = Command::new(&program);
        command
            .args(["--headless=new", "--no-sandbox", "--disable-dev-shm-usage"])
            .args(["--use-angle=swiftshader", "--enable-unsafe-swiftshader"])
            .args(["--no-first-run", "--disable-background-networking", "--disable-extensions"])
            .arg(format!("--user-data-dir={}", profile.display()))
            .arg(address)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(log);
        let child = command.spawn().with_context(|| {
            format!("no browser: install Chromium, or name it by {VARIABLE} ({})", program.display())
        })?;
        Ok(Browser { child, profile, has_come: false })
    }

    fn has_ended(&mut self) -> Result<bool> {
        Ok(self.child.try_wait()?.is_some())
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
        let _ = remove_tree(&self.profile);
    }
}
