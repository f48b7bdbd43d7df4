/**
 * Measures the separation of replies from quoted text, for Leadloom and `email-reply-parser`, on the same files in the
 * same run.
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
import { splitQuoted } from "@leadloom/core/internal/domain/email/quoted/QuotedText"
import EmailReplyParser from "email-reply-parser"
import type { Bench, BenchResult } from "@leadloom/testkit/bench/Bench"
import { findCorpora, missingCorpora } from "@leadloom/testkit/mail/Corpora"
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

const inHalf = (half: Half, id: string): boolean => isHeldOut(id) === (half === "held-out")
/** The rows of the result. Failures are reported for the development half and for Leadloom only. */
interface Row {
  readonly set: string
  readonly half: Half
  readonly splitter: string
  readonly correct: number
  readonly of: number
  readonly kept: number | null
  readonly dropped: number | null
  readonly weighted: number | null
  readonly failures: ReadonlyArray<string>
}

const four = (value: number): number => Number(value.toFixed(4))
const reports = (half: Half, splitter: string): boolean => half === "development" && splitter === "leadloom"

const measureFixtures = (directory: string, half: Half): ReadonlyArray<Row> => {
  const manifest: ReadonlyArray<Fixture> = JSON.parse(readFileSync(join(directory, "replies/manifest.json"), "utf8"))
  const stated = manifest.filter(isStated).filter(({ file }) => inHalf(half, file))
  return splitters.map(([splitter, split]): Row => {
    const missed = stated
      .filter(({ expectation, file }) => !meets(expectation ?? {}, split(fixtureBody(directory, file))))
      .map(({ file }) => `missed ${file.replace("replies/", "")}`)
    const counts = { correct: stated.length - missed.length, of: stated.length }
    const failures = reports(half, splitter) ? missed : []
    return { set: "other libraries", half, splitter, ...counts, kept: null, dropped: null, weighted: null, failures }
  })
}

const sharesOf = (score: ReplyScore) => ({
  kept: four(keptShare(score)),
  dropped: four(droppedShare(score)),
  weighted: four(weightedShare(score))
})

const failuresOf = (half: Half, splitter: string, { left, lost }: ReplyScore): ReadonlyArray<string> =>
  reports(half, splitter) ? [...lost.map((line) => `lost ${line}`), ...left.map((line) => `left ${line}`)] : []

const measureReal = (directory: string, set: string, half: Half): ReadonlyArray<Row> => {
  const replies = readReplies(join(directory, "replies", set)).filter(({ file }: RealReply) => inHalf(half, file))
  return splitters.map(([splitter, split]): Row => {
    const score = scoreReplies(directory, replies, (body) => split(body).visible)
    const all = score.keep + score.drop
    const counts = { correct: all - score.lost.length - score.left.length, of: all }
    return { set, half, splitter, ...counts, ...sharesOf(score), failures: failuresOf(half, splitter, score) }
  })
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

const measureOwn = (batch: string, half: Half): ReadonlyArray<Row> => {
  const fixtures = readReplyFixtures(batch).filter(({ id }) => inHalf(half, id))
  return splitters.map(([splitter, split]): Row => {
    const score = scoreOwn(fixtures, split)
    const counts = { correct: score.met, of: fixtures.length }
    const failures = failuresOf(half, splitter, score)
    return { set: `own, ${batch}`, half, splitter, ...counts, ...sharesOf(score), failures }
  })
}

const realSets = (directory: string): ReadonlyArray<string> =>
  readdirSync(join(directory, "replies")).filter((name) => name.startsWith("real-") && name.endsWith(".jsonl"))

const run = (halves: ReadonlyArray<Half>, isVerbose: boolean): BenchResult => {
  const directory = missingCorpora() === null ? findCorpora() : null
  const rows = halves.flatMap((half) => [
    ...replyBatches().flatMap((batch) => measureOwn(batch, half)),
    ...(directory === null ? [] : measureFixtures(directory, half)),
    ...(directory === null ? [] : realSets(directory).flatMap((set) => measureReal(directory, set, half)))
  ])
  const own = rows.filter(({ set, splitter }) => set.startsWith("own") && splitter === "leadloom")
  return {
    figures: {
      sets: rows.map(({ failures: _, ...row }) => row),
      failures: isVerbose ? rows.flatMap(({ failures }) => failures) : []
    },
    checks: { "own fixtures lose none of the writer's lines": own.every(({ kept }) => kept !== null && kept >= 0.99) }
  }
}

export const bench: Bench = {
  name: "replies",
  purpose: "The separation of replies from quoted text, against email-reply-parser on the same files.",
  usage: "[--verbose] [--held-out]",
  sizes: { smallest: [], small: [], full: [] },
  run: (args) =>
    Promise.resolve(
      run(args.includes("--held-out") ? ["development", "held-out"] : ["development"], args.includes("--verbose"))
    )
}
