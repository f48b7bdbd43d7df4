/**
 * The mails of one tenant over two years: senders, times and texts. They are the same in every run. A few people write
 * much and most write little (person `k` writes about `1/(k+3)` of the mails). Word frequencies follow a Zipf
 * distribution (exponent 1, 20,000 words). Threads have five mails.
 */

/** A sent mail. */
export interface Letter {
  readonly number: number
  readonly person: number
  /** The position in its thread, from 0. */
  readonly place: number
  readonly thread: number
  /** Epoch milliseconds, whole seconds. */
  readonly at: number
  readonly messageId: string
  /** The Message-ID of the previous mail in the thread. */
  readonly inReplyTo: string | null
  readonly subject: string
  readonly body: string
}

/** Two years in milliseconds. */
export const spanMillis = 730 * 24 * 3_600_000
const perThread = 5
const vocabulary = 20_000

/** Returns a number from 0 to below 1, always the same for the same arguments (splitmix32). */
export const chance = (seed: number, salt: number): number => {
  let mixed = (Math.imul(seed, 0x9e3779b1) + Math.imul(salt, 0x85ebca6b)) | 0
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x21f0aaad)
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97)
  return ((mixed ^ (mixed >>> 15)) >>> 0) / 0x1_0000_0000
}

const syllables = "ka lo mi re tü san der wol ein gru bath roof ten pla vor zim mer fen ster dach".split(" ")

/** Returns the word of a rank. Rank 0 is the most frequent. */
export const wordOf = (rank: number): string => {
  let text = ""
  for (let rest = rank + 1; rest > 0; rest = Math.floor(rest / syllables.length)) {
    text += syllables[rest % syllables.length]
  }
  return text
}
const words = Array.from({ length: vocabulary }, (_, rank) => wordOf(rank))

const bodyOf = (number: number): string => {
  const count = 12 + Math.floor(90 * chance(number, 2) ** 2)
  const chosen = Array.from({ length: count }, (_, index) => {
    const rank = Math.floor(vocabulary ** chance(number * 128 + index, 3)) - 1
    return words[rank] ?? ""
  })
  // A number that occurs in one mail only, like an order number.
  return `${chosen.join(" ")} R${100_000 + number}`
}

/** Returns the name and address of a person. */
export const personOf = (person: number) => ({
  name: `${wordOf(person % 900)} ${wordOf(1_000 + person)}`,
  email: `${wordOf(person % 900).replace("ü", "ue")}.${person}@kunde${person % 50}.example`
})

const peopleOf = (count: number): number => Math.max(1, Math.floor(count / 8))

/** Returns the writer of a mail, for a total of `count` mails. */
export const writerOf = (number: number, count: number): number =>
  Math.floor(3 * ((peopleOf(count) + 3) / 3) ** chance(number, 1)) - 3

/** Returns a person who wrote about `wrote` of `count` mails. `time` selects one of several. */
export const writerOfAbout = (wrote: number, count: number, time: number): number => {
  const share = Math.log((peopleOf(count) + 3) / 3)
  return Math.round(((0.9 + 0.2 * chance(time, 6)) * count) / (wrote * share)) - 3
}

/** Generates mails in order of arrival, the last one at `end`. */
export function* letters(count: number, end: number): Generator<Letter> {
  const written = new Map<number, { count: number; thread: number; last: string }>()
  const step = spanMillis / count
  for (let number = 0; number < count; number++) {
    const person = writerOf(number, count)
    const before = written.get(person)
    const isNew = before === undefined || before.count % perThread === 0
    const place = isNew ? 0 : before.count % perThread
    const thread = isNew ? number : before.thread
    const messageId = `${number}.letter@kunde.example`
    yield {
      number,
      person,
      place,
      thread,
      at: Math.floor((end - (count - 1 - number) * step) / 1_000) * 1_000,
      messageId,
      inReplyTo: isNew ? null : before.last,
      subject: `${isNew ? "" : "Re: "}Anfrage ${wordOf(thread % 5_000)} ${thread}`,
      body: bodyOf(number)
    }
    written.set(person, { count: (before?.count ?? 0) + 1, thread, last: messageId })
  }
}
