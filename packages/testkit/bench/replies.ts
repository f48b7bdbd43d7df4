/**
 * Measures the separation of replies from quoted text, for Leadloom and `email-reply-parser`, on the same files in the
 * same run:
 *
 *     npm run bench -- replies [--verbose] [--held-out]
 *
 * Fixtures of other libraries: the share with a correct result. Real replies: the share of the writer's lines that
 * stay, the share of quoted lines that are removed, and a combined figure in which a lost line counts ten times. Own
 * fixtures: the share with every line correct, and the same shares of lines. Fixtures without a stated expectation are
 * not counted.
 *
 * `isHeldOut` divides every set in two halves. The development half is for the authors of rules; `--verbose` shows its
 * failures. The other half is measured with `--held-out` only, and its failures are never shown, because rules written
 * after a look at them would spoil the measurement.
 */
import { readFileSync, readdirSync } from "node:fs"
import { join } from "node:path"
import { splitQuoted } from "@leadloom/core/domain/email/quoted/QuotedText"
import EmailReplyParser from "email-reply-parser"
import { findCorpora } from "@leadloom/testkit/mail/Corpora"
import { readBody, textOfHtml, type Body } from "@leadloom/testkit/mail/MailBody"
import {
  countedLines,
  isHeldOut,
  readReplyFixtures,
  replyBatches,
  scoreFixture,
  type ReplyFixture
} from "@leadloom/testkit/mail/ReplyFixtures"
import {
  droppedShare,
  keptShare,
  readReplies,
  scoreReplies,
  weightedShare,
  type RealReply,
  type ReplyScore
} from "@leadloom/testkit/mail/ReplyScore"

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
/** The result of a splitter for one body. `unquoted` is everything except the quotes: text and signatures. */
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
 * Talon's reply texts contain signatures, which a separate function removes. They are therefore compared with the whole
 * unquoted text.
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

type Half = "development" | "held-out"

const halves: ReadonlyArray<Half> = process.argv.includes("--held-out") ? ["development", "held-out"] : ["development"]
const inHalf = (half: Half, id: string): boolean => isHeldOut(id) === (half === "held-out")
/** Failures are shown for the development half and for Leadloom only. */
const shows = (half: Half, splitter: string): boolean =>
  half === "development" && splitter === "leadloom" && process.argv.includes("--verbose")

const percent = (part: number, all: number): string => (all === 0 ? "-" : (part / all).toFixed(4))

const measureFixtures = (directory: string, half: Half): void => {
  const manifest: ReadonlyArray<Fixture> = JSON.parse(readFileSync(join(directory, "replies/manifest.json"), "utf8"))
  const stated = manifest.filter(isStated).filter(({ file }) => inHalf(half, file))
  console.log(`\nfixtures of other libraries, ${half}: ${stated.length}\n`)
  for (const [name, split] of splitters) {
    const missed = stated
      .filter(({ expectation, file }) => !meets(expectation ?? {}, split(fixtureBody(directory, file))))
      .map(({ file }) => file.replace("replies/", ""))
    const met = stated.length - missed.length
    console.log(`${name.padEnd(20)} ${String(met).padStart(3)}/${stated.length}  ${percent(met, stated.length)}`)
    if (shows(half, name)) console.log(`  missed: ${missed.join(", ")}`)
  }
}

const shares = (name: string, score: ReplyScore): string => {
  const figures = [keptShare(score), droppedShare(score), weightedShare(score)]
  const counts = `${score.lost.length}/${score.keep}`.padEnd(11) + ` ${score.left.length}/${score.drop}`
  return `${name.padEnd(20)} ${figures.map((share) => share.toFixed(4).padStart(8)).join(" ")}    ${counts}`
}

const columns = `${"".padEnd(20)} ${"kept".padStart(8)} ${"dropped".padStart(8)} ${"weighted".padStart(8)}    lost        left`

const measureReal = (directory: string, name: string, half: Half): void => {
  const replies = readReplies(join(directory, "replies", name)).filter(({ file }: RealReply) => inHalf(half, file))
  console.log(`\n${name}, ${half}: ${replies.length} replies\n\n${columns}`)
  for (const [splitter, split] of splitters) {
    const score = scoreReplies(directory, replies, (body) => split(body).visible)
    console.log(shares(splitter, score))
    if (!shows(half, splitter)) continue
    for (const line of score.lost) console.log(`  lost ${line}`)
    for (const line of score.left) console.log(`  left ${line}`)
  }
}

const scoreOwn = (fixtures: ReadonlyArray<ReplyFixture>, split: Splitter): ReplyScore & { met: number } => {
  const scores = fixtures.map((fixture) => {
    const { lost, left } = scoreFixture(fixture, split({ text: fixture.text, html: null }).visible)
    const named = (line: string): string => `${fixture.id}: ${line}`
    return { lost: lost.map(named), left: left.map(named), ...countedLines(fixture) }
  })
  return {
    met: scores.filter(({ left, lost }) => lost.length + left.length === 0).length,
    keep: scores.reduce((sum, { keep }) => sum + keep, 0),
    drop: scores.reduce((sum, { drop }) => sum + drop, 0),
    lost: scores.flatMap(({ lost }) => lost),
    left: scores.flatMap(({ left }) => left)
  }
}

const measureOwn = (batch: string, half: Half): void => {
  const fixtures = readReplyFixtures(batch).filter(({ id }) => inHalf(half, id))
  console.log(`\nown fixtures, ${batch} batch, ${half}: ${fixtures.length}\n\n${columns}`)
  for (const [splitter, split] of splitters) {
    const score = scoreOwn(fixtures, split)
    console.log(
      `${shares(splitter, score)}   all lines right: ${score.met}/${fixtures.length} ${percent(score.met, fixtures.length)}`
    )
    if (!shows(half, splitter)) continue
    for (const line of score.lost) console.log(`  lost ${line}`)
    for (const line of score.left) console.log(`  left ${line}`)
  }
}

const directory = findCorpora()
for (const half of halves) {
  for (const batch of replyBatches()) measureOwn(batch, half)
  if (directory === null) continue
  measureFixtures(directory, half)
  for (const name of readdirSync(join(directory, "replies"))) {
    if (name.startsWith("real-") && name.endsWith(".jsonl")) measureReal(directory, name, half)
  }
}
