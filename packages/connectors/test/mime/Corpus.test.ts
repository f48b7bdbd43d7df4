import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { normalizeMessageId, referencedIds } from "@leadloom/core/internal/domain/email/MessageId"
import { corpora, corporaNote } from "@leadloom/testkit/mail/Corpora"
import { canonical, shuffled, threadAll } from "@leadloom/testkit/ThreadIndex"
import PostalMime, { addressParser } from "postal-mime"
import { describe, expect, it } from "vitest"
import { parseMail } from "../../src/mime/MimeParser.ts"

const folder = corpora ?? ""

const filesOfMessage = (path: string): ReadonlyArray<string> =>
  existsSync(path)
    ? readdirSync(path)
        .filter((name) => !name.endsWith(".json"))
        .toSorted()
        .map((name) => join(path, name))
    : []

const sets = (): ReadonlyArray<string> => readdirSync(join(folder, "threads")).filter((name) => !name.endsWith(".json"))

interface Golden {
  readonly files: ReadonlyArray<{ readonly file: string; readonly expected: string }>
}

const labelsOf = (set: string): Golden =>
  JSON.parse(readFileSync(join(folder, "golden", `${set}.threads.json`), "utf8"))

/** Compares texts only where both parsers see plain text, without white space. */
const folded = (text: string | undefined): string => (text ?? "").replace(/[\s\0-\x1F\u200B-\u200F]+/gu, " ").trim()

const compare = async (file: string): Promise<readonly [mine: object, theirs: object]> => {
  const raw = readFileSync(file)
  const mail = parseMail(raw)
  const other = await PostalMime.parse(raw)
  const reworked = /format\s*=\s*"?flowed|message\/rfc822|text\/html/iu.test(raw.toString("latin1"))
  const undecoded = JSON.stringify([other.subject, other.text]).includes("\uFFFD")
  const from = addressParser(other.headers.find(({ key }) => key === "from")?.value ?? "", { flatten: true })
  const mine = { file, from: mail.from.map(({ email }) => email) }
  const theirs = { file, from: from.map(({ address }) => address) }
  if (undecoded) return [mine, theirs]
  return [
    { ...mine, subject: mail.subject, text: reworked ? "" : folded(mail.text) },
    { ...theirs, subject: folded(other.subject), text: reworked ? "" : folded(other.text) }
  ]
}

describe.skipIf(corpora === null)(`real mail${corporaNote}`, () => {
  it("is threaded as labelled, in every order of arrival", () => {
    for (const set of sets()) {
      const { files } = labelsOf(set)
      const mails = files.map(({ file }, i) => {
        const mail = parseMail(readFileSync(join(folder, "threads", set, file)))
        const ownId = (mail.messageId === null ? null : normalizeMessageId(mail.messageId)) ?? `none-${i}`
        return { ownId, references: referencedIds(mail), subject: mail.subject }
      })
      const expected = { set, threads: canonical(files.map((label) => label.expected)) }
      expect({ set, threads: canonical(threadAll(mails, mails.keys())) }).toEqual(expected)
      expect({ set, threads: canonical(threadAll(mails, shuffled(mails.length, 7_919))) }).toEqual(expected)
    }
  })

  it("is read without an error, however unusual", () => {
    const odd = filesOfMessage(join(folder, "odd")).flatMap(filesOfMessage)
    expect(odd.length).toBeGreaterThan(200)
    for (const file of odd) {
      const mail = parseMail(readFileSync(file))
      const unread = mail.unparsed ?? []
      expect({ file, unread, nul: JSON.stringify(mail).includes("\\u0000") }).toEqual({ file, unread: [], nul: false })
    }
  })

  it("equals the result of another parser for charsets that the other parser supports", async () => {
    for (const file of sets()
      .flatMap((set) => filesOfMessage(join(folder, "threads", set, "cur")))
      .slice(0, 600)) {
      const [mine, theirs] = await compare(file)
      expect(mine).toEqual(theirs)
    }
  })
})
