import { Effect } from "effect"
import { maxTags } from "../../../domain/contact/Contact.ts"
import { tagContact } from "../../contact/TagContact.ts"
import type { ActionAnswer, ActionCall } from "../../../domain/crm/ActionCall.ts"
import { CrmInputInvalid, requiredText } from "../../../domain/crm/ActionInputs.ts"

const maxTagLength = 64

/** Adds one or more tags, separated by commas, to the local contact. Idempotent. */
export const addTag = Effect.fnUntraced(function* ({ contact, inputs, tenant }: ActionCall) {
  const tags = (yield* requiredText(inputs, "tag", 1_000)).split(",").flatMap((tag) => tag.trim() || [])
  if (tags.length === 0 || tags.some((tag) => tag.length > maxTagLength)) {
    const reason = `Expected tags of at most ${maxTagLength} characters, separated by commas.`
    return yield* new CrmInputInvalid({ field: "tag", reason })
  }
  const tagged = yield* tagContact(tenant.tenantId, contact.contactId, tags)
  const lacking = tags.filter((tag) => !tagged.contact.tags.includes(tag))
  if (lacking.length > 0) {
    const reason = `A contact has at most ${maxTags} tags. Remove tags to make room for ${lacking.join(", ")}.`
    return yield* new CrmInputInvalid({ field: "tag", reason })
  }
  return {
    contact_id: tagged.contact.contactId,
    added: tagged.added.join(", "),
    tags: tagged.contact.tags.join(", ")
  } satisfies ActionAnswer
})
