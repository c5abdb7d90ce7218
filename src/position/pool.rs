//! What is left to move in the current turn: tickets, the locked man, the waiting die and the marks.

use crate::board::{Role, Square};
use crate::dice::Face;

/// Permission for one single move.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Ticket(u8);

impl Ticket {
    const ROLES: u8 = 0x3f;
    const OPTIONAL: u8 = 0x40;
    const RESTRICTED: u8 = 0x80;
    const NONE: Ticket = Ticket(0);

    /// Any own man.
    pub const ANY: Ticket = Ticket(Ticket::ROLES);
    /// Any own man, or none.
    pub const ANY_OR_PASS: Ticket = Ticket(Ticket::ROLES | Ticket::OPTIONAL);
    /// Any own man, but only to capture, or a pawn.
    pub const CAPTURE_OR_PAWN: Ticket = Ticket(Ticket::ROLES | Ticket::RESTRICTED);

    /// A man of one role.
    pub const fn of(role: Role) -> Ticket {
        Ticket(1 << role.index())
    }

    /// A man of either role.
    pub const fn either(a: Role, b: Role) -> Ticket {
        Ticket(1 << a.index() | 1 << b.index())
    }

    /// Whether a man of the role may use it.
    pub const fn admits(self, role: Role) -> bool {
        self.0 >> role.index() & 1 != 0
    }

    /// Whether it may be left unused.
    pub const fn is_optional(self) -> bool {
        self.0 & Ticket::OPTIONAL != 0
    }

    /// Whether it is for a capture or a pawn move only.
    pub const fn is_restricted(self) -> bool {
        self.0 & Ticket::RESTRICTED != 0
    }

    /// The roles that it admits, as bits in the order of [`Role`].
    pub const fn roles(self) -> u8 {
        self.0 & Ticket::ROLES
    }

    /// Whether any own man may use it.
    pub const fn is_free(self) -> bool {
        self.roles() == Ticket::ROLES
    }

    /// The one role that it admits, none where there are several.
    pub fn role(self) -> Option<Role> {
        let mut roles = Role::ALL.into_iter().filter(|&role| self.admits(role));
        match (roles.next(), roles.next()) {
            (Some(role), None) => Some(role),
            _ => None,
        }
    }
}

/// The most tickets that any roll of any variant gives.
pub const MAX_TICKETS: usize = 6;

/// What is left to move in the turn under way; empty while a roll is awaited.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub struct Pool {
    tickets: [Ticket; MAX_TICKETS],
    len: u8,
    /// The only man who may move, by his square (games that lock the man).
    pub lock: Option<Square>,
    /// The second mover's die of a round of which the first half is under way.
    pub next: Option<Face>,
    /// Only a line that takes the king can still complete the turn (the mark `x`).
    pub spoilt: bool,
    /// The turn answers a check, so that the opponent's next turn is free (games with free turns).
    pub answers_check: bool,
}

impl Default for Ticket {
    fn default() -> Ticket {
        Ticket::NONE
    }
}

impl Pool {
    /// No tickets: a roll is awaited.
    pub const EMPTY: Pool = Pool {
        tickets: [Ticket::NONE; MAX_TICKETS],
        len: 0,
        lock: None,
        next: None,
        spoilt: false,
        answers_check: false,
    };

    /// The pool of these tickets, at most six, sorted.
    pub fn new(tickets: &[Ticket]) -> Pool {
        let mut pool = Pool::EMPTY;
        for (slot, &ticket) in pool.tickets.iter_mut().zip(tickets) {
            *slot = ticket;
            pool.len += 1;
        }
        pool.tickets[..usize::from(pool.len)].sort_unstable();
        pool
    }

    /// The same ticket a number of times, at most six.
    pub fn repeat(ticket: Ticket, count: u8) -> Pool {
        Pool::new(&[ticket; MAX_TICKETS][..usize::from(count).min(MAX_TICKETS)])
    }

    /// The tickets left, sorted.
    pub fn tickets(&self) -> &[Ticket] {
        &self.tickets[..usize::from(self.len)]
    }

    /// How many tickets are left.
    pub const fn len(&self) -> usize {
        self.len as usize
    }

    /// Whether no ticket is left.
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The roles that some ticket admits, as bits in the order of [`Role`].
    pub fn roles(&self) -> u8 {
        self.tickets.iter().fold(0, |roles, ticket| roles | ticket.roles())
    }

    /// Whether some ticket admits the role.
    pub fn admits(&self, role: Role) -> bool {
        self.roles() >> role.index() & 1 != 0
    }

    /// Whether the turn may be left without a move.
    pub fn is_optional(&self) -> bool {
        self.tickets().iter().any(|ticket| ticket.is_optional())
    }

    /// Whether only captures and pawn moves count.
    pub fn is_restricted(&self) -> bool {
        self.tickets().iter().any(|ticket| ticket.is_restricted())
    }

    /// Whether it is one single move by any man.
    pub fn is_free_choice(&self) -> bool {
        self.len == 1 && self.lock.is_none() && self.tickets[0] == Ticket::ANY
    }

    /// Takes out the first ticket that admits the role, or the first of all where none does.
    pub(super) fn spend(&mut self, role: Role) {
        let at = self.tickets().iter().position(|ticket| ticket.admits(role)).unwrap_or(0);
        self.tickets.copy_within(at + 1.., at);
        self.tickets[MAX_TICKETS - 1] = Ticket::NONE;
        self.len = self.len.saturating_sub(1);
    }

    /// All of it in one word, 0 for the empty pool; the part of a position's key that it makes.
    pub(super) fn packed(&self) -> u64 {
        let mut bytes = [0u8; 8];
        for (byte, ticket) in bytes.iter_mut().zip(self.tickets) {
            *byte = ticket.0;
        }
        bytes[6] = self.lock.map_or(0, |square| square.index() + 1) | u8::from(self.spoilt) << 7;
        bytes[7] = self.next.map_or(0, Face::number) | u8::from(self.answers_check) << 7;
        u64::from_le_bytes(bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spending_keeps_the_rest_sorted() {
        let mut pool = Pool::new(&[Ticket::of(Role::Rook), Ticket::of(Role::Pawn), Ticket::of(Role::King)]);
        assert_eq!(pool.len(), 3);
        pool.spend(Role::Rook);
        assert_eq!(pool.tickets(), [Ticket::of(Role::Pawn), Ticket::of(Role::King)]);
        assert!(pool.admits(Role::King) && !pool.admits(Role::Rook));
        pool.spend(Role::King);
        pool.spend(Role::Pawn);
        assert_eq!(pool, Pool::EMPTY);
        assert_eq!(pool.packed(), 0);
        pool.spend(Role::Pawn);
        assert_eq!(pool, Pool::EMPTY);
    }
}
