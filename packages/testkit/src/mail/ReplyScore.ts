import { readFileSync } from "node:fs"
import { join } from "node:path"
import { readBody, type Body } from "./MailBody.ts"

/** A real reply: lines its writer wrote and lines drawn from the message it answers. `file` is relative. */
export interface RealReply {
  readonly file: string
  readonly must_keep: ReadonlyArray<string>
  readonly must_not_keep: ReadonlyArray<string>
}

/** How a splitter did on a set of replies. */
export interface ReplyScore {
  readonly keep: number
  readonly drop: number
  readonly lost: ReadonlyArray<string>
  readonly left: ReadonlyArray<string>
}

/** How much more a lost line weighs than a quoted one left in. */
export const lossWeight = 10

/** Share of the writers' lines that stay visible, 0 to 1. */
export const keptShare = (score: ReplyScore): number => 1 - score.lost.length / score.keep
/** Share of the quoted lines that are folded, 0 to 1. */
export const droppedShare = (score: ReplyScore): number => 1 - score.left.length / score.drop
/** Both in one figure, 0 to 1: a lost line weighs `lossWeight` times a left one. */
export const weightedShare = (score: ReplyScore): number =>
  1 - (lossWeight * score.lost.length + score.left.length) / (lossWeight * score.keep + score.drop)

/** Reads a `real-*.jsonl` file of the mail corpora. */
export const readReplies = (path: string): ReadonlyArray<RealReply> =>
  readFileSync(path, "utf8")
    .trim()
    .split("\n")
    .map((line): RealReply => JSON.parse(line))

const bare = (line: string): string =>
  line
    .replace(/^[>\s|]+/, "")
    .replace(/\s+/g, " ")
    .trim()

/**
 * Scores one splitter: a line counts as visible when it occurs as a line, quote marks and white space aside. Bodies
 * are the lines as sent: `format=flowed` is not joined, since the expected lines were drawn from the lines as sent.
 */
export const scoreReplies = (
  directory: string,
  replies: ReadonlyArray<RealReply>,
  visibleOf: (body: Body) => string
): ReplyScore => {
  const lost: Array<string> = []
  const left: Array<string> = []
  for (const reply of replies) {
    const visible = new Set(
      visibleOf(readBody(readFileSync(join(directory, reply.file))))
        .split("\n")
        .map(bare)
    )
    const place = (line: string): string => `${reply.file}: ${line}`
    lost.push(...reply.must_keep.filter((line) => !visible.has(bare(line))).map(place))
    left.push(...reply.must_not_keep.filter((line) => visible.has(bare(line))).map(place))
  }
  const count = (of: (reply: RealReply) => number): number => replies.reduce((sum, reply) => sum + of(reply), 0)
  return {
    keep: count((reply) => reply.must_keep.length),
    drop: count((reply) => reply.must_not_keep.length),
    lost,
    left
  }
}
