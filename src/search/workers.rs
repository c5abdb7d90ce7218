//! Threads: tasks are handed out through a channel, and their results come back through another.
//!
//! What is handed out does not depend on the number of threads, and neither do the results that count: a candidate's
//! value is exact or at most the best known, whichever thread finds it.

use super::Searcher;
use crossbeam_channel::unbounded;
use std::thread;

/// Has tasks, numbered from 0, done by one or several searchers, and hears each result as it comes, in any order.
pub fn share<T: Send>(
    searchers: &mut [Searcher],
    tasks: usize,
    work: &(impl Fn(&mut Searcher, usize) -> T + Sync),
    hear: &mut dyn FnMut(usize, T),
) {
    if let [alone] = searchers {
        (0..tasks).for_each(|task| hear(task, work(alone, task)));
        return;
    }
    let (queue, waiting) = unbounded();
    let (done, results) = unbounded();
    // The receiver lives: this cannot fail.
    for task in 0..tasks {
        let _ = queue.send(task);
    }
    drop(queue);
    thread::scope(|scope| {
        for searcher in searchers {
            let (waiting, done) = (waiting.clone(), done.clone());
            scope.spawn(move || {
                for task in waiting {
                    if done.send((task, work(searcher, task))).is_err() {
                        return;
                    }
                }
            });
        }
        drop(done);
        results.iter().for_each(|(task, result)| hear(task, result));
    });
}
