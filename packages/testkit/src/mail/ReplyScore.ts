import { readFileSync } from "node:fs"
import { join } from "node:path"
import { readBody, type Body } from "./MailBody.ts"

/** A real reply, with lines of its writer and lines quoted from the original message. `file` is a relative path. */
export interface RealReply {
  readonly file: string
  readonly must_keep: ReadonlyArray<string>
  readonly must_not_keep: ReadonlyArray<string>
}

/** The result of a splitter on several replies. */
export interface ReplyScore {
  readonly keep: number
  readonly drop: number
  readonly lost: ReadonlyArray<string>
  readonly left: ReadonlyArray<string>
}

/** The weight of a lost line, relative to a quoted line that stays visible. */
export const lossWeight = 10

/** The share of the writers' lines that stay visible, 0 to 1. */
export const keptShare = (score: ReplyScore): number => 1 - score.lost.length / score.keep
/** The share of the quoted lines that are hidden, 0 to 1. */
export const droppedShare = (score: ReplyScore): number => 1 - score.left.length / score.drop
/** The combined share, 0 to 1. A lost line counts `lossWeight` times. */
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
 * Scores a splitter. A line is visible if the result contains it as a line; quote marks and white space are ignored.
 * The lines of `format=flowed` bodies are not joined, because the expected lines were not joined either.
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
