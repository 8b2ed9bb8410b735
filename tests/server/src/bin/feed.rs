//! Sixteen writers and two readers, one by the key alone and one by the horizon: part of `make demo`.

use std::time::Duration;

use server_tests::Cluster;
use server_tests::feed::{self, Load, Reading};

fn main() {
    let load = Load { writers: 16, rows: 0, time: Duration::from_secs(10), most: 3, pause: 30, crashes: 0, seed: 1 };
    println!(
        "{} writers for {:?}, with pauses up to {} ms, savepoints and rollbacks",
        load.writers, load.time, load.pause
    );
    let cluster = Cluster::started("feed", &feed::SETTINGS);
    let outcome = feed::run(&cluster, load, &[Reading::Naive, Reading::Horizon]);
    for follower in &outcome.followers {
        let condition = match follower.reading {
            Reading::Naive => "id > $last",
            _ => "id > $last AND id < uuidv7_horizon()",
        };
        println!(
            "    WHERE {condition:36}  {} of {} rows lost, {} read twice",
            follower.lost, outcome.rows, follower.twice
        );
        let is_right = (follower.lost, follower.twice) == (0, 0);
        assert_eq!(is_right, follower.reading != Reading::Naive, "{follower:?}");
    }
}
