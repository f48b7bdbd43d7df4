import type { MessageReference } from "@leadloom/core/internal/domain/email/MessageId"
import { type IndexedId, idsToLookUp, matchThread } from "@leadloom/core/internal/domain/email/thread/Thread"

/** The headers of a mail that thread matching uses. */
export interface ThreadedMail {
  readonly ownId: string
  readonly references: ReadonlyArray<MessageReference>
  readonly subject: string
}

/** An in-memory index of Message-IDs, with the same rows as the repository: one per id and thread. */
export class ThreadIndex {
  readonly #rows = new Map<string, Map<string, IndexedId>>()
  readonly #idsOfThread = new Map<string, Set<string>>()

  known(ids: ReadonlyArray<string>): ReadonlyArray<IndexedId> {
    return ids.flatMap((id) => [...(this.#rows.get(id)?.values() ?? [])])
  }

  register(row: IndexedId): void {
    const rows = this.#rows.get(row.id) ?? new Map<string, IndexedId>()
    this.#rows.set(row.id, rows)
    const old = rows.get(row.threadId)
    rows.set(row.threadId, {
      ...row,
      seen: row.seen || (old?.seen ?? false),
      weak: row.weak && (old?.weak ?? true)
    })
    this.#idsOfThread.set(row.threadId, (this.#idsOfThread.get(row.threadId) ?? new Set<string>()).add(row.id))
  }

  merge(into: string, from: string): void {
    for (const id of this.#idsOfThread.get(from) ?? []) {
      const row = this.#rows.get(id)?.get(from)
      this.#rows.get(id)?.delete(from)
      if (row !== undefined) this.register({ ...row, threadId: into })
    }
    this.#idsOfThread.delete(from)
  }
}

/** Assigns mails to threads, one at a time in the given order. Returns the threads in the order of `mails`. */
export const threadAll = (mails: ReadonlyArray<ThreadedMail>, order: Iterable<number>): ReadonlyArray<string> => {
  const index = new ThreadIndex()
  const mergedInto = new Map<string, string>()
  const placed = new Map<number, string>()
  for (const position of order) {
    const mail = mails[position]
    if (mail === undefined) continue
    const match = matchThread(mail, index.known(idsToLookUp(mail)))
    const threadId = match.join ?? `t${position}`
    for (const other of match.merge) {
      index.merge(threadId, other)
      mergedInto.set(other, threadId)
    }
    for (const id of match.register) index.register({ ...id, threadId })
    placed.set(position, threadId)
  }
  const resolve = (threadId: string): string => {
    const next = mergedInto.get(threadId)
    return next === undefined ? threadId : resolve(next)
  }
  return mails.map((_, position) => resolve(placed.get(position) ?? ""))
}

/**
 * Returns a canonical form of a grouping, which does not depend on the labels: for each element, the index of the first
 * element in its group.
 */
export const canonical = (labels: ReadonlyArray<string>): ReadonlyArray<number> => {
  const firstOf = new Map<string, number>()
  return labels.map((label, i) => {
    const first = firstOf.get(label) ?? i
    firstOf.set(label, first)
    return first
  })
}

/** Returns the positions `0 … length - 1` in an order that depends only on the seed. */
export const shuffled = (length: number, seed: number): ReadonlyArray<number> => {
  const order = Array.from({ length }, (_, i) => i)
  let state = seed
  for (let i = length - 1; i > 0; i--) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    const other = state % (i + 1)
    const [a = 0, b = 0] = [order[i], order[other]]
    order[i] = b
    order[other] = a
  }
  return order
}
