/**
 * Measures how well replies are split from what they quote, ours beside `email-reply-parser`, on the same files in the
 * same run:
 *
 *     npm run bench -- replies [--verbose]
 *
 * Fixtures: the share whose own expectation is met. Real replies: the share of the writer's lines kept and of the
 * parent's lines dropped, and both in one figure in which a lost line weighs ten times a left one.
 * Not counted: fixtures whose source states no expectation.
 */
import { readFileSync, readdirSync } from "node:fs"
import { join } from "node:path"
import { splitQuoted } from "@leadloom/core/email/quoted/QuotedText"
import EmailReplyParser from "email-reply-parser"
import { findCorpora } from "@leadloom/testkit/mail/Corpora"
import { readBody, textOfHtml, type Body } from "@leadloom/testkit/mail/MailBody"
import { droppedShare, keptShare, readReplies, scoreReplies, weightedShare } from "@leadloom/testkit/mail/ReplyScore"

interface Expectation {
  readonly reply_text?: string
  readonly compare?: string
  readonly reply_must_match?: ReadonlyArray<string>
  readonly signature?: string
}
interface Fixture {
  readonly file: string
  readonly expectation: Expectation | null
}
/** What a splitter says of one body. `unquoted` is all but the quotes: text and signatures. */
interface Answer {
  readonly visible: string
  readonly unquoted: string
  readonly signature: string
}
type Splitter = (body: Body) => Answer

const ours: Splitter = ({ html, text }) => {
  const split = splitQuoted(text, html)
  const unquoted = split.spans
    .filter((span) => span.kind !== "quoted")
    .map((span) => text.slice(span.start, span.end))
    .join("")
  return { visible: split.visible, unquoted, signature: split.signature }
}

const theirs: Splitter = ({ text }) => {
  const email = new EmailReplyParser().read(text)
  const fragments = email.getFragments()
  return {
    visible: email.getVisibleText(),
    unquoted: fragments.filter((fragment) => !fragment.isQuoted()).join("\n"),
    signature: fragments.filter((fragment) => fragment.isSignature()).join("\n")
  }
}

const untouched: Splitter = ({ text }) => ({ visible: text, unquoted: text, signature: "" })

const splitters: ReadonlyArray<readonly [string, Splitter]> = [
  ["leadloom", ours],
  ["email-reply-parser", theirs],
  ["(nothing folded)", untouched]
]

const fixtureBody = (directory: string, file: string): Body => {
  const bytes = readFileSync(join(directory, file))
  if (file.endsWith(".eml")) return readBody(bytes)
  if (!file.endsWith(".html")) return { text: bytes.toString("utf8"), html: null }
  const html = bytes.toString("utf8")
  return { text: textOfHtml(html), html }
}

const trimmedLines = (text: string): string =>
  text
    .trim()
    .split(/\r?\n/)
    .map((line) => line.trim())
    .join("\n")

/**
 * Talon's reply texts are what remains when quotes alone are taken away (its signatures are a function of their own),
 * so they are compared with all that is not quoted.
 */
const meets = (expectation: Expectation, answer: Answer): boolean => {
  const compare = expectation.compare ?? ""
  if (expectation.signature !== undefined) {
    return trimmedLines(answer.signature) === trimmedLines(expectation.signature)
  }
  if (expectation.reply_must_match !== undefined) {
    return expectation.reply_must_match.every((pattern) => new RegExp(pattern).test(answer.visible))
  }
  const expected = expectation.reply_text ?? ""
  if (compare.includes("white space")) return answer.unquoted.replace(/\s/g, "") === expected.replace(/\s/g, "")
  return (compare.includes("text/plain part") ? answer.unquoted : answer.visible).trim() === expected.trim()
}

const isStated = ({ expectation }: Fixture): boolean =>
  expectation !== null &&
  (expectation.reply_text ?? expectation.reply_must_match ?? expectation.signature) !== undefined

const measureFixtures = (directory: string): void => {
  const manifest: ReadonlyArray<Fixture> = JSON.parse(readFileSync(join(directory, "replies/manifest.json"), "utf8"))
  const stated = manifest.filter(isStated)
  console.log(`\nfixtures: ${stated.length} of ${manifest.length} state an expectation\n`)
  for (const [name, split] of splitters) {
    const missed = stated
      .filter(({ expectation, file }) => !meets(expectation ?? {}, split(fixtureBody(directory, file))))
      .map(({ file }) => file.replace("replies/", ""))
    const met = stated.length - missed.length
    const share = (met / stated.length).toFixed(4)
    console.log(`${name.padEnd(20)} ${String(met).padStart(3)}/${stated.length}  ${share}`)
    if (process.argv.includes("--verbose")) console.log(`  missed: ${missed.join(", ")}`)
  }
}

const measureReal = (directory: string, name: string): void => {
  const replies = readReplies(join(directory, "replies", name))
  console.log(`\n${name}: ${replies.length} replies\n`)
  console.log(
    `${"".padEnd(20)} ${"kept".padStart(8)} ${"dropped".padStart(8)} ${"weighted".padStart(8)}    lost        left`
  )
  for (const [splitter, split] of splitters) {
    const score = scoreReplies(directory, replies, (body) => split(body).visible)
    const shares = [keptShare(score), droppedShare(score), weightedShare(score)]
    const counts = `${score.lost.length}/${score.keep}`.padEnd(11) + ` ${score.left.length}/${score.drop}`
    console.log(`${splitter.padEnd(20)} ${shares.map((share) => share.toFixed(4).padStart(8)).join(" ")}    ${counts}`)
    if (splitter !== "leadloom" || !process.argv.includes("--verbose")) continue
    for (const line of score.lost) console.log(`  lost ${line}`)
    for (const line of score.left) console.log(`  left ${line}`)
  }
}

const directory = findCorpora()
if (directory !== null) {
  measureFixtures(directory)
  for (const name of readdirSync(join(directory, "replies"))) {
    if (name.startsWith("real-") && name.endsWith(".jsonl")) measureReal(directory, name)
  }
}
