import { mergeContacts } from "@leadloom/core/internal/workflow/contact/MergeContacts"
import { undoMerge } from "@leadloom/core/internal/workflow/contact/UndoMerge"
import { Contacts } from "@leadloom/core/internal/port/repository/contact/Contacts"
import { Drafts } from "@leadloom/core/internal/port/repository/conversation/Drafts"
import { GuardEvaluations } from "@leadloom/core/internal/port/repository/pipeline/GuardEvaluations"
import { Runs } from "@leadloom/core/internal/port/repository/pipeline/Runs"
import { Scores } from "@leadloom/core/internal/port/repository/lead/Leads"
import { Notes } from "@leadloom/core/internal/port/repository/conversation/Notes"
import { TaskComments } from "@leadloom/core/internal/port/repository/lead/TaskComments"
import { Tasks } from "@leadloom/core/internal/port/repository/lead/Tasks"
import { Teams } from "@leadloom/core/internal/port/repository/tenant/Teams"
import { Users } from "@leadloom/core/internal/port/repository/tenant/Users"
import { createTenant } from "@leadloom/core/internal/workflow/tenant/Tenants"
import { eraseContact } from "@leadloom/core/internal/workflow/privacy/EraseContact"
import { exportArchive } from "@leadloom/core/internal/workflow/privacy/ExportArchive"
import { importArchive } from "@leadloom/core/internal/workflow/privacy/ImportArchive"
import { Effect, Stream } from "effect"
import fc from "fast-check"
import { guardRecord } from "../tenant/ConfigSuite.ts"
import { draftRecord, idOf, runRecord, scoreRecord, taskRecord } from "../Records.ts"
import { noteRecord, taskCommentRecord, teamRecord, userRecord } from "../WorkspaceRecords.ts"
import { filesOf } from "./TarBytes.ts"
import { acme, domainOfTenant, inTenant } from "../Scene.ts"

/** A random text, in the style of people and of programs. */
const text = fc.oneof(
  fc.string({ maxLength: 30 }),
  fc.constantFrom("Dach, 3 €", "a\u0000b", "Grüße 👋", "\uD800 half", "{}", "line\nline", "'; --"),
  fc.string({ unit: "grapheme", maxLength: 12 })
)

const mail = fc.record({
  from: fc.constantFrom("jo@customer.example", "Ann <ann@other.example>", "me@acme.com", "bo@third.example"),
  to: fc.constantFrom("sales@acme.com", "roofs@acme.com"),
  subject: fc.constantFrom("A roof", "Re: A roof", "Gutters", "Möbel"),
  body: text,
  answers: fc.option(fc.nat({ max: 5 })),
  minutes: fc.nat({ max: 50 })
})

/** A random history of a tenant. */
export const stories = fc.record({
  mails: fc.array(mail, { maxLength: 12 }),
  titles: fc.array(text, { maxLength: 3 }),
  replies: fc.array(text, { maxLength: 3 }),
  bounced: fc.array(fc.constantFrom("jo@customer.example", "nobody@else.example"), { maxLength: 2 }),
  suggested: fc.boolean(),
  /** The merges, with contacts in the order of their first mail, and whether each is undone at the end. */
  merges: fc.array(fc.record({ into: fc.nat({ max: 2 }), from: fc.nat({ max: 2 }), undone: fc.boolean() }), {
    maxLength: 4
  })
})

/** A value of `stories`. */
export type Story = typeof stories extends fc.Arbitrary<infer A> ? A : never

/** Creates an empty tenant as the target of an import. */
export const freshPlace = (tenantId: string) =>
  createTenant({ tenantId, name: "Acme", domain: domainOfTenant(tenantId), preset: null, hipaa: false })

/** Applies a history to a new tenant. */
export const playStory = Effect.fnUntraced(function* (tenantId: string, story: Story) {
  yield* freshPlace(tenantId)
  const contacts = new Set<string>()
  for (const [number, { answers, body, from, minutes, subject, to }] of story.mails.entries()) {
    const mail = {
      id: `m${number}@customer.example`,
      from,
      to,
      subject,
      body: body.replaceAll(/[\r\n]/gu, " "),
      date: `Mon, 02 Mar 2026 08:${String(minutes).padStart(2, "0")}:00 +0000`,
      ...(answers === null ? {} : { inReplyTo: `m${answers}@customer.example` })
    }
    const { contactId } = yield* inTenant(tenantId).receiveMail(mail, number % 2 === 0)
    if (contactId !== null) contacts.add(contactId)
  }
  yield* (yield* Users).insert(userRecord(tenantId, 1, { signature: "Ann\nAcme", timeZone: "Europe/Berlin" }))
  yield* (yield* Users).insert(userRecord(tenantId, 2, { active: false, email: null }))
  yield* (yield* Teams).insert(teamRecord(tenantId, 1, { memberIds: [idOf("usr", 1), idOf("usr", 2)] }))
  const people = yield* Contacts
  const [one = idOf("con", 1), other = idOf("con", 2)] = [...contacts].map((id) => `con_${id.slice(4)}` as const)
  for (const [number, title] of story.titles.entries()) {
    yield* (yield* Tasks).insert(taskRecord(tenantId, number, { contactId: one, title }))
    yield* (yield* TaskComments).insert(taskCommentRecord(tenantId, number, { body: title === "" ? "-" : title }))
  }
  for (const [number, reply] of story.replies.entries()) {
    yield* (yield* Scores).insert(scoreRecord(tenantId, number))
    yield* (yield* Drafts).propose(draftRecord(tenantId, number, { contactId: one, text: reply }))
    yield* (yield* Notes).insert(noteRecord(tenantId, number, { contactId: one, body: reply }))
    yield* (yield* Runs).insert(runRecord(tenantId, number, { contactId: one }))
    const said = guardRecord(tenantId, number, { contactId: one, reason: reply })
    yield* (yield* GuardEvaluations).insert(tenantId, [said])
  }
  for (const email of story.bounced) yield* people.markUndeliverable(tenantId, email, 1_772_000_000_000, "550 no")
  if (story.suggested && one !== other) yield* people.suggestMerge(tenantId, one, other, "same name", 1_772_000_000_000)
  for (const [number, id] of [...contacts].entries()) {
    const contact = yield* people.get(tenantId, id)
    yield* people.update({ ...contact, tags: ["all", `tag ${number}`], attributes: { number } })
  }
  return [...contacts]
})

/** The merge is not permitted by a rule, so it is skipped. */
const refused = () => Effect.succeed(null)

/** Performs the merges of a history. Returns the merges to undo, latest first. */
export const mergeThem = Effect.fnUntraced(function* (tenantId: string, story: Story, contacts: ReadonlyArray<string>) {
  const undone: Array<string> = []
  for (const { from, into, undone: back } of story.merges) {
    const [primary, duplicate] = [contacts[into], contacts[from]]
    if (primary === undefined || duplicate === undefined) continue
    const made = yield* mergeContacts(tenantId, primary, duplicate).pipe(
      Effect.catchTag(["MergeWithItself", "ContactMerged"], refused)
    )
    if (made !== null && back) undone.unshift(made.merge.mergeId)
  }
  return undone
})

/** Undoes merges. A merge stays if a later merge prevents its undo. */
export const unmergeThem = (tenantId: string, mergeIds: ReadonlyArray<string>) =>
  Effect.forEach(mergeIds, (id) => undoMerge(tenantId, id).pipe(Effect.catchTag("MergeNotLatest", refused)))

/** Returns an export as bytes. */
export const exported = Effect.fnUntraced(function* (tenantId: string, contactId: string | null = null) {
  const pieces = yield* Stream.runCollect(yield* exportArchive(tenantId, contactId))
  return Buffer.concat([...pieces])
})

/** Returns the files of an archive by path. */
export const filesIn = (archive: Uint8Array): ReadonlyMap<string, string> =>
  new Map(filesOf(archive).map(({ bytes, path }) => [path, Buffer.from(bytes).toString()]))

/** Returns the manifest of an archive. */
export const manifestOf = (archive: Uint8Array): unknown => JSON.parse(filesIn(archive).get("manifest.json") ?? "null")

/** Imports an archive in chunks of a given size. */
export const imported = (tenantId: string, archive: Uint8Array, size = 1000) => {
  const count = Math.ceil(archive.length / size)
  const pieces = Array.from({ length: count }, (_, index) => archive.subarray(index * size, (index + 1) * size))
  return importArchive(tenantId, Stream.fromIterable(pieces))
}

/** Erases a contact of `acme`. */
export const erase = (contactId: string | null) => {
  const id = contactId ?? "nobody"
  return eraseContact({ tenantId: "acme", contactId: id, confirm: id, requestedBy: "admin" })
}

/** Returns whether a text occurs in any readable data of a tenant. */
export const containsText = Effect.fnUntraced(function* (text: string) {
  const events = yield* acme.events()
  const files = [...filesIn(yield* exported("acme")).values()]
  return JSON.stringify(events).includes(text) || files.some((file) => file.includes(text))
})
