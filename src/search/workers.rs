//! Threads: tasks are handed out through a channel, and the thread that hands them out works like the others.
//!
//! What is handed out does not depend on the number of threads, and neither do the results that count: a candidate's
//! value is exact or at most the best known, whichever thread finds it.

use super::Searcher;
use crossbeam_channel::unbounded;
use std::thread;

/// Has tasks, numbered from 0, done by one or several searchers, and hears the results at the end, in any order.
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
    let Some((own, others)) = searchers.split_first_mut() else { return };
    let (queue, waiting) = unbounded();
    // The receiver lives: this cannot fail.
    for task in 0..tasks {
        let _ = queue.send(task);
    }
    drop(queue);
    let labour = |searcher: &mut Searcher| -> Vec<(usize, T)> {
        waiting.iter().map(|task| (task, work(searcher, task))).collect()
    };
    thread::scope(|scope| {
        let labour = &labour;
        let others: Vec<_> = others.iter_mut().map(|searcher| scope.spawn(move || labour(searcher))).collect();
        let mut results = labour(own);
        others.into_iter().filter_map(|other| other.join().ok()).for_each(|found| results.extend(found));
        results.into_iter().for_each(|(task, result)| hear(task, result));
    });
}
