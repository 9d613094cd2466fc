//! Who counts as one address.

use std::net::{IpAddr, Ipv6Addr};

/// The part of an address that one person cannot change at will: those of the newer
/// kind are given out in blocks of 2^64. It is what is counted, banned and known
/// again.
///
/// ```
/// use quadrille_net::network;
///
/// let read = |text: &str| -> std::net::IpAddr { text.parse().unwrap() };
/// assert_eq!(network(read("2001:db8:1:2:3:4:5:6")), read("2001:db8:1:2::"));
/// assert_eq!(network(read("::ffff:192.0.2.1")), read("192.0.2.1"));
/// ```
pub fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(six) => {
            let [a, b, c, d, ..] = six.segments();
            IpAddr::V6(Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0))
        }
        four @ IpAddr::V4(_) => four,
    }
}
