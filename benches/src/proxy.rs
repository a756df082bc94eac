//! A network that takes its time: a TCP proxy in this process that holds back what passes through it.
//!
//! It runs on a thread of its own, whose processor time counts as the client's: with a latency only the time on the
//! wall says something.

use std::net::SocketAddr;
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::runtime::Builder;
use tokio::sync::mpsc;
use tokio::time::{Instant, sleep_until};

/// A proxy in front of one server. It runs until the process ends.
pub struct Proxy {
    address: SocketAddr,
}

impl Proxy {
    /// Starts a proxy to `server` that delays each way.
    ///
    /// # Errors
    /// The system's.
    pub fn start(server: String, delay: Duration) -> Result<Self> {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").context("opening a port for the proxy")?;
        listener.set_nonblocking(true)?;
        let address = listener.local_addr()?;
        let runtime = Builder::new_current_thread().enable_all().build()?;
        thread::Builder::new().name("proxy".to_owned()).spawn(move || {
            // Without the listener every connection fails, which is how an error shows.
            let _ = runtime.block_on(serve(listener, server, delay));
        })?;
        Ok(Self { address })
    }

    /// The URL of the server, by way of the proxy.
    ///
    /// # Errors
    /// For a URL without a host and a port.
    pub fn redirect(&self, url: &str) -> Result<String> {
        let server = server_of(url)?;
        Ok(url.replacen(server, &self.address.to_string(), 1))
    }
}

/// The host and port of a URL.
///
/// # Errors
/// For a URL without them.
pub fn server_of(url: &str) -> Result<&str> {
    let (_, rest) = url.split_once("://").context("the URL has no scheme")?;
    let authority = rest.split(['/', '?']).next().unwrap_or(rest);
    let server = authority.rsplit_once('@').map_or(authority, |(_, server)| server);
    anyhow::ensure!(server.contains(':'), "the URL has no port");
    Ok(server)
}

async fn serve(listener: std::net::TcpListener, server: String, delay: Duration) -> Result<()> {
    let listener = TcpListener::from_std(listener)?;
    loop {
        let (client, _) = listener.accept().await?;
        let server = TcpStream::connect(&server).await?;
        client.set_nodelay(true)?;
        server.set_nodelay(true)?;
        let (from_client, to_client) = client.into_split();
        let (from_server, to_server) = server.into_split();
        tokio::spawn(forward(from_client, to_server, delay));
        tokio::spawn(forward(from_server, to_client, delay));
    }
}

/// Hands on what is read, each part when its time has come; ends when either side does.
async fn forward(mut from: impl AsyncRead + Unpin, mut to: impl AsyncWrite + Unpin + Send + 'static, delay: Duration) {
    let (sender, mut parts) = mpsc::unbounded_channel::<(Instant, Vec<u8>)>();
    let writer = tokio::spawn(async move {
        while let Some((due, part)) = parts.recv().await {
            sleep_until(due).await;
            if to.write_all(&part).await.is_err() {
                return;
            }
        }
        // The other side may be gone already.
        let _ = to.shutdown().await;
    });
    let mut buffer = vec![0; 64 * 1_024];
    while let Ok(length @ 1..) = from.read(&mut buffer).await {
        if sender.send((Instant::now() + delay, buffer[..length].to_vec())).is_err() {
            break;
        }
    }
    drop(sender);
    // It ends by itself.
    let _ = writer.await;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_the_server_in_a_url() {
        assert_eq!(server_of("mysql://arx:p@127.0.0.1:3306/arx?x=1").unwrap(), "127.0.0.1:3306");
        assert_eq!(server_of("postgres://localhost:5432").unwrap(), "localhost:5432");
        assert!(server_of("postgres://localhost/arx").is_err());
    }

    #[test]
    fn delays_each_way() {
        let runtime = Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let echo = TcpListener::bind("127.0.0.1:0").await.unwrap();
            let server = echo.local_addr().unwrap().to_string();
            tokio::spawn(async move {
                let (mut stream, _) = echo.accept().await.unwrap();
                let mut byte = [0];
                stream.read_exact(&mut byte).await.unwrap();
                stream.write_all(&byte).await.unwrap();
            });
            let proxy = Proxy::start(server.clone(), Duration::from_millis(20)).unwrap();
            let url = proxy.redirect(&format!("x://u@{server}/d")).unwrap();
            let mut client = TcpStream::connect(server_of(&url).unwrap()).await.unwrap();
            let started = Instant::now();
            client.write_all(&[7]).await.unwrap();
            let mut byte = [0];
            client.read_exact(&mut byte).await.unwrap();
            assert_eq!(byte, [7]);
            assert!(started.elapsed() >= Duration::from_millis(40));
        });
    }
}
