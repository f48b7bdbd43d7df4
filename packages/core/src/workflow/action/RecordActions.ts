import { Effect } from "effect"
import { maxTags } from "../../domain/contact/Contact.ts"
import { normalizeTag } from "../../domain/contact/ContactFields.ts"
import { checkLossReason, withState } from "../../domain/lead/Deal.ts"
import { mayTransition } from "../../domain/lead/LeadState.ts"
import { maxNoteLength } from "../../domain/note/Note.ts"
import type { Action, Rendered } from "../../domain/rule/Rule.ts"
import type { ActionTarget } from "../../domain/run/RunSubject.ts"
import { requireStage } from "../deal/LeadPlaces.ts"
import { setCustomFields } from "../field/SetCustomFields.ts"
import { insertNote } from "../note/Notes.ts"
import { type ActionState, done, noLead, skipped } from "./AssignAction.ts"

type ActionOf<Type extends Action["type"]> = Extract<Action, { readonly type: Type }>

/** Adds a tag to the contact. */
export const tag = ({ tag: written }: ActionOf<"tag">, state: ActionState) => {
  const added = normalizeTag(written)
  const { contact } = state
  if (contact.tags.includes(added)) return { ...state, outcome: skipped("the contact already has the tag") }
  if (contact.tags.length >= maxTags) return { ...state, outcome: skipped(`a contact has at most ${maxTags} tags`) }
  return { ...state, contact: { ...contact, tags: [...contact.tags, added] }, outcome: done(`tag ${added}`) }
}

/** Removes a tag from the contact. */
export const untag = ({ tag: written }: ActionOf<"untag">, state: ActionState) => {
  const tag = normalizeTag(written)
  const { contact } = state
  if (!contact.tags.includes(tag)) return { ...state, outcome: skipped("the contact does not have the tag") }
  const tags = contact.tags.filter((each) => each !== tag)
  return { ...state, contact: { ...contact, tags }, outcome: done(`tag ${tag}`) }
}

/** Sets a custom field of the contact or the lead. The field may have been changed since the rule was saved. */
export const setField = Effect.fnUntraced(function* (
  { entity = "contact", field, value }: ActionOf<"set_field">,
  state: ActionState
) {
  const { contact, lead } = state
  const record = entity === "contact" ? contact : lead
  if (record === null) return { ...state, outcome: noLead }
  const same = (reason: string) => ({ ...state, outcome: skipped(reason) })
  if (JSON.stringify(record.customFields[field] ?? null) === JSON.stringify(value))
    return same(`the field ${field} already has the value`)
  const changes = { [field]: value }
  const changed = Effect.gen(function* () {
    if (entity === "contact") return { ...state, contact: yield* setCustomFields(contact, "contact", changes) }
    return lead === null ? state : { ...state, lead: yield* setCustomFields(lead, "lead", changes) }
  })
  return yield* changed.pipe(
    Effect.map((after) => ({ ...after, outcome: done(`field ${field}`) })),
    Effect.catchTag("FieldValueInvalid", ({ key, reason }) =>
      Effect.succeed(same(`the field ${key} was not set: ${reason}`))
    )
  )
})

/** Changes the state of the lead if the transition is allowed. */
export const transition = (
  { tenant: { config } }: ActionTarget,
  { state: wanted }: ActionOf<"transition">,
  state: ActionState
) => {
  const { lead } = state
  if (lead === null) return { ...state, outcome: noLead }
  const same = (reason: string) => ({ ...state, outcome: skipped(reason) })
  const check = mayTransition(lead.state, wanted)
  if (!check.ok) return same(`a lead in the state ${lead.state} can change only to ${check.legal.join(", ")}`)
  if (checkLossReason(config.deals, wanted, null) !== null)
    return same("a lost lead needs a loss reason, which an action cannot state")
  return { ...state, lead: withState(lead, wanted), outcome: done(`${lead.state} to ${wanted}`) }
}

/** Moves the lead to a stage. A stage of another state needs a transition that is allowed. */
export const moveStage = Effect.fnUntraced(function* (
  { tenant: { config, tenantId } }: ActionTarget,
  { stage: stageId }: ActionOf<"move_stage">,
  state: ActionState
) {
  const { lead } = state
  const same = (reason: string) => ({ ...state, outcome: skipped(reason) })
  if (lead === null) return { ...state, outcome: noLead }
  const find = requireStage(tenantId, stageId)
  const place = yield* Effect.catchTag(find, "StageNotFound", () => Effect.succeed(null))
  if (place === null) return same(`the stage ${stageId} does not exist`)
  const { pipeline, stage } = place
  if (lead.stageId === stage.stageId) return same(`the lead is already in the stage ${stage.name}`)
  const check = mayTransition(lead.state, stage.state)
  if (lead.state !== stage.state && !check.ok)
    return same(`a lead in the state ${lead.state} can change only to ${check.legal.join(", ")}`)
  if (lead.state !== stage.state && checkLossReason(config.deals, stage.state, null) !== null)
    return same("a lost lead needs a loss reason, which an action cannot state")
  const moved = lead.state === stage.state ? lead : withState(lead, stage.state)
  const after = { ...moved, pipelineId: pipeline.pipelineId, stageId: stage.stageId }
  return { ...state, lead: after, outcome: done(`to ${stage.name}`) }
})

/** Writes a private note. It mentions no one, because its text may be that of a stranger. */
export const addRuleNote = Effect.fnUntraced(function* (
  { contact, now, tenant: { tenantId } }: ActionTarget,
  ruleId: string,
  rendered: Rendered | undefined
) {
  if (rendered === undefined || "failure" in rendered) return skipped("its template was not rendered")
  const body = rendered.text.slice(0, maxNoteLength).toWellFormed().trim()
  if (body === "") return skipped("its template rendered an empty text")
  const content = { body, mentions: [], teamMentions: [] }
  const { noteId } = yield* insertNote(
    { tenantId, contactId: contact.contactId, author: `rule:${ruleId}` },
    content,
    now
  )
  return done(noteId)
})
