/**
 * Saves, lists, deletes and renders canned replies. Sending the rendered text belongs to `workflow/conversation`.
 * Tests: `packages/testkit/src/suite/reply`.
 */
import { Clock, Effect } from "effect"
import type { CursorKey } from "../../domain/conversation/Cursor.ts"
import { type PageRequest, readPage } from "../../domain/conversation/ReadPage.ts"
import { isId } from "../../domain/Id.ts"
import {
  type CannedReply,
  type CannedReplyFields,
  CannedReplyInvalid,
  type CannedReplyKey,
  CannedReplyLimitReached,
  type CannedReplyQuery,
  cannedReplyVariables,
  maxCannedReplies,
  sortNameOf
} from "../../domain/reply/CannedReply.ts"
import { closestName } from "../../domain/text/ClosestName.ts"
import { ReplyTemplates } from "../../port/provider/ReplyTemplates.ts"
import { CannedReplies } from "../../port/repository/conversation/CannedReplies.ts"
import { Ids } from "../../port/system/Ids.ts"
import { Transactions } from "../../port/system/Transactions.ts"
import { recordAuditChange } from "../access/Audited.ts"
import { withSpan } from "../WithSpan.ts"

/** Returns the fields of a canned reply that the audit trail records. */
const audited = ({ cannedReplyId, folder, name, shortcut }: CannedReply) => ({
  canned_reply_id: cannedReplyId,
  name,
  folder,
  shortcut
})

const unknownVariable = (name: string, known: ReadonlyArray<string>): string => {
  const closest = closestName(name, known)
  return `Unknown variable ${name.slice(0, 100)}. ${closest === null ? `Use one of: ${known.join(", ")}.` : `Did you mean ${closest}?`}`
}

/**
 * Returns the issue of a template: a syntax error, or its first unknown variable. Null for a valid template. `known`
 * lists the variables.
 */
export const templateIssue = Effect.fnUntraced(function* (
  template: string,
  known: ReadonlyArray<string> = cannedReplyVariables
) {
  const templates = yield* ReplyTemplates
  const error = templates.check(template)
  if (error !== null) return error
  const unknown = templates.variables(template).find((name) => !known.includes(name))
  return unknown === undefined ? null : unknownVariable(unknown, known)
})

/** Fails with `CannedReplyInvalid` unless the fields may be saved under this id. Runs inside the unit of work. */
const requireValid = Effect.fnUntraced(function* (tenantId: string, id: string, fields: CannedReplyFields) {
  const issues: Array<{ readonly path: string; readonly message: string }> = []
  if (fields.name.trim() === "") issues.push({ path: "name", message: "The name is blank. Send a name." })
  for (const path of ["body", "subject"] as const) {
    const template = fields[path]
    const message = template === null ? null : yield* templateIssue(template)
    if (message !== null) issues.push({ path, message })
  }
  if (fields.shortcut !== null) {
    const holder = yield* (yield* CannedReplies).withShortcut(tenantId, fields.shortcut)
    if (holder !== null && holder.cannedReplyId !== id)
      issues.push({ path: "shortcut", message: `"${holder.name}" already has this shortcut. Choose another one.` })
  }
  if (issues.length > 0) return yield* new CannedReplyInvalid({ issues })
})

/** Creates a canned reply. Fails with `CannedReplyLimitReached` when the tenant has `maxCannedReplies`. */
export const createCannedReply = Effect.fnUntraced(function* (tenantId: string, fields: CannedReplyFields) {
  const now = yield* Clock.currentTimeMillis
  const cannedReplyId = yield* (yield* Ids).next("can")
  const replies = yield* CannedReplies
  return yield* (yield* Transactions).atomically(
    tenantId,
    Effect.gen(function* () {
      yield* requireValid(tenantId, cannedReplyId, fields)
      if ((yield* replies.count(tenantId)) >= maxCannedReplies)
        return yield* new CannedReplyLimitReached({ limit: maxCannedReplies })
      const usage = { uses: 0, lastUsedAt: null, createdAt: now, updatedAt: now }
      const reply: CannedReply = { ...fields, ...usage, tenantId, cannedReplyId, sortName: sortNameOf(fields.name) }
      yield* replies.insert(reply)
      yield* recordAuditChange({ before: null, after: audited(reply) })
      return reply
    })
  )
}, withSpan("createCannedReply"))

/** Changes a canned reply. An absent field stays unchanged. */
export const updateCannedReply = Effect.fnUntraced(function* (
  tenantId: string,
  cannedReplyId: string,
  change: Partial<CannedReplyFields>
) {
  const now = yield* Clock.currentTimeMillis
  const replies = yield* CannedReplies
  return yield* (yield* Transactions).atomically(
    tenantId,
    Effect.gen(function* () {
      const before = yield* replies.get(tenantId, cannedReplyId)
      const changed = { ...before, ...change }
      yield* requireValid(tenantId, cannedReplyId, changed)
      const after: CannedReply = { ...changed, sortName: sortNameOf(changed.name), updatedAt: now }
      yield* replies.update(after)
      yield* recordAuditChange({ before: audited(before), after: audited(after) })
      return after
    })
  )
}, withSpan("updateCannedReply"))

/** Deletes a canned reply. */
export const deleteCannedReply = Effect.fnUntraced(function* (tenantId: string, cannedReplyId: string) {
  const replies = yield* CannedReplies
  yield* (yield* Transactions).atomically(
    tenantId,
    Effect.gen(function* () {
      const before = yield* replies.get(tenantId, cannedReplyId)
      yield* replies.remove(tenantId, cannedReplyId)
      yield* recordAuditChange({ before: audited(before), after: null })
    })
  )
}, withSpan("deleteCannedReply"))

const readKey = ([sortName, id]: CursorKey): CannedReplyKey | null =>
  typeof sortName === "string" && typeof id === "string" && isId("can", id) ? { sortName, cannedReplyId: id } : null

/** Returns a page of canned replies by name. */
export const listCannedReplies = Effect.fnUntraced(function* (
  tenantId: string,
  { folder, prefix }: CannedReplyQuery,
  page: PageRequest
) {
  const replies = yield* CannedReplies
  const query = { folder, prefix: prefix === null ? null : sortNameOf(prefix) }
  return yield* readPage(
    {
      scope: { tenantId, list: "canned_replies", filters: query },
      fetch: (limit, after: CannedReplyKey | null) => replies.page(tenantId, query, limit, after),
      keyOf: (reply) => [reply.sortName, reply.cannedReplyId],
      readKey
    },
    page
  )
}, withSpan("listCannedReplies"))
