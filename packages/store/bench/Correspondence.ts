/**
 * The mails of one tenant over two years, the same ones every time: whom they are from, when they came and what they say.
 * A few people write a great deal and most write little (person `k` about `1/(k+3)` of it), words are as skewed as in
 * life (Zipf, exponent 1, 20,000 of them), threads have five mails.
 */

/** A mail, as it is sent. */
export interface Letter {
  readonly number: number
  readonly person: number
  /** Its place in its thread, from 0. */
  readonly place: number
  readonly thread: number
  /** Epoch milliseconds, whole seconds. */
  readonly at: number
  readonly messageId: string
  /** The mail before it in the thread. */
  readonly inReplyTo: string | null
  readonly subject: string
  readonly body: string
}

/** Milliseconds of two years. */
export const spanMillis = 730 * 24 * 3_600_000
const perThread = 5
const vocabulary = 20_000

/** A number from 0 to below 1, always the same for the same two (splitmix32). */
export const chance = (seed: number, salt: number): number => {
  let mixed = (Math.imul(seed, 0x9e3779b1) + Math.imul(salt, 0x85ebca6b)) | 0
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x21f0aaad)
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97)
  return ((mixed ^ (mixed >>> 15)) >>> 0) / 0x1_0000_0000
}

const syllables = "ka lo mi re tü san der wol ein gru bath roof ten pla vor zim mer fen ster dach".split(" ")

/** The word of a rank, 0 being the most frequent. */
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
  // A number of one mail only, as an order or an invoice has.
  return `${chosen.join(" ")} R${100_000 + number}`
}

/** How a person is called, and reached. */
export const personOf = (person: number) => ({
  name: `${wordOf(person % 900)} ${wordOf(1_000 + person)}`,
  email: `${wordOf(person % 900).replace("ü", "ue")}.${person}@kunde${person % 50}.example`
})

const peopleOf = (count: number): number => Math.max(1, Math.floor(count / 8))

/** Who wrote a letter, of so many letters. */
export const writerOf = (number: number, count: number): number =>
  Math.floor(3 * ((peopleOf(count) + 3) / 3) ** chance(number, 1)) - 3

/** Somebody who wrote about so many of `count` letters: the `time`th of them. */
export const writerOfAbout = (wrote: number, count: number, time: number): number => {
  const share = Math.log((peopleOf(count) + 3) / 3)
  return Math.round(((0.9 + 0.2 * chance(time, 6)) * count) / (wrote * share)) - 3
}

/** Letters in the order in which they came, the last one at `end`. */
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
