use arx_derive::Entity;

#[derive(Entity)]
struct Customer<T> {
    #[arx(key)]
    id: T,
}

#[derive(Entity)]
struct Order<'a> {
    #[arx(key)]
    id: &'a str,
}

#[derive(Entity)]
struct Part
where
    i64: Copy,
{
    #[arx(key)]
    id: i64,
}

fn main() {}
