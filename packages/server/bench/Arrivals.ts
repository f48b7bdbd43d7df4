/** Generates the mail and events of a business for measurements. Every run receives the same data. */

/** Returns a generator of pseudo-random numbers in [0, 1), determined by the seed (mulberry32). */
const numbers = (seed: number): (() => number) => {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

const words =
  "roof window kitchen offer price tomorrow please thanks quote repair leak gutter solar panel appointment Thursday morning Grüße café naïve 屋根 🙂 invoice deposit measure visit the a to of and we you is can could would for with on at".split(
    " "
  )

const sentenceOf = (random: () => number): string => {
  const length = 5 + Math.floor(random() * 14)
  return `${Array.from({ length }, () => words[Math.floor(random() * words.length)]).join(" ")}.`
}

/** Most bodies have some hundred bytes, and a few have many kilobytes. */
const textOf = (random: () => number): string => {
  const bytes = Math.min(20_000, 120 * Math.exp(3.2 * random() * random() + 1.2 * random()))
  const sentences: Array<string> = []
  for (let size = 0; size < bytes; size += sentences.at(-1)?.length ?? 1) sentences.push(sentenceOf(random))
  return sentences.join(random() < 0.2 ? "\r\n\r\n" : " ")
}

/** A thread has about three mails, and a contact about two threads. */
const mailsPerThread = 3
const threadsPerContact = 2
const start = Date.parse("2025-06-01T08:00:00Z")

const quoted = (text: string): string =>
  `\r\n\r\nOn Mon, 2 Jun 2025 at 10:00, Ann <sales@acme.com> wrote:\r\n${text.replace(/^/gmu, "> ")}`

const alternative = (text: string): string =>
  [
    "--part",
    "Content-Type: text/plain; charset=utf-8",
    "",
    text,
    "--part",
    "Content-Type: text/html; charset=utf-8",
    "",
    `<html><body><div style="font-family:Arial">${text.replaceAll("\r\n", "<br>")}</div></body></html>`,
    "--part--"
  ].join("\r\n")

/**
 * Returns the mail with a number: from a contact, in a thread with earlier mails; every fifth one is from the tenant.
 */
export const mailOf = (tenant: string, index: number): string => {
  const random = numbers(index * 7_919 + 1)
  const thread = Math.floor(index / mailsPerThread)
  const place = index % mailsPerThread
  const contact = Math.floor(thread / threadsPerContact)
  const idOf = (number: number): string => `<${number}.${thread}@mail.${tenant}.example>`
  const person = `Person ${contact} <person.${contact}@customer.example>`
  const ours = `Ann <sales@${tenant}.com>`
  const isOurs = place > 0 && random() < 0.3
  const text = textOf(random) + (place > 0 && random() < 0.5 ? quoted(textOf(random)) : "")
  const isHtml = random() < 0.6
  return [
    `From: ${isOurs ? ours : person}`,
    `To: ${isOurs ? person : ours}`,
    `Subject: ${place > 0 ? "Re: " : ""}Offer ${thread} for ${words[thread % words.length]}`,
    `Date: ${new Date(start + index * 60_000).toUTCString()}`,
    `Message-ID: ${idOf(index)}`,
    ...(place > 0 ? [`In-Reply-To: ${idOf(index - 1)}`, `References: ${idOf(index - place)} ${idOf(index - 1)}`] : []),
    "MIME-Version: 1.0",
    isHtml ? 'Content-Type: multipart/alternative; boundary="part"' : "Content-Type: text/plain; charset=utf-8",
    "",
    isHtml ? alternative(text) : text
  ].join("\r\n")
}

/** Returns a mail with an attachment. */
export const attachedMail = (tenant: string): string =>
  [
    "From: Person A <person.a@customer.example>",
    `To: Ann <sales@${tenant}.com>`,
    "Subject: The plan",
    `Message-ID: <plan@mail.${tenant}.example>`,
    `Date: ${new Date(start).toUTCString()}`,
    'Content-Type: multipart/mixed; boundary="part"',
    "",
    "--part",
    "",
    "See the plan.",
    "--part",
    'Content-Type: application/pdf; name="plan.pdf"',
    "Content-Disposition: attachment",
    "Content-Transfer-Encoding: base64",
    "",
    Buffer.from("%PDF-1.7 the plan").toString("base64"),
    "--part--"
  ].join("\r\n")

/** Returns the event with a number, with characters that are difficult for databases. */
export const eventOf = (index: number): unknown => ({
  entity: {
    id: `e\0${index}`,
    name: `Zoë ${"\0"} O'Brien "Z" ${index}`,
    email: `event.${index}@customer.example`,
    metadata: { half: "\ud83d", nul: "\0", big: Number.MAX_SAFE_INTEGER, none: null, quote: '\\"\n\t' }
  },
  content: {
    body: `A text with NUL ${"\0"}, an emoji 👩‍👩‍👧, half of one ${"\ud83d"} and C:\\path ${index}`,
    channel: "sms"
  }
})
