import { Lead } from "@leadloom/core/internal/domain/lead/Lead"
import { Schema } from "effect"
import { Channel, Metadata, text, Time } from "./Field.ts"
import { leadId, messageId } from "./Ids.ts"

/** Whether the pipeline processes the entries. */
export const RunPipeline = Schema.optionalKey(Schema.Boolean).annotate({
  description: "Whether the pipeline classifies, scores, routes and answers the contact's messages; default: false"
})

/** The fields that recent and imported entries share. */
export const entry = {
  channel: Channel,
  body: Schema.String.check(
    Schema.isPattern(/\S/u, { message: "Expected a non-empty text" }),
    Schema.isMaxLength(100_000)
  ).annotate({ description: "The text of the message, at most 100,000 characters" }),
  actor: Schema.Literals(["contact", "agent", "assistant", "system"]).annotate({
    description: "The author of the message"
  }),
  subject: Schema.optionalKey(Lead.fields.subject).annotate({
    description: "The subject line, at most 998 characters; null: none"
  }),
  metadata: Schema.optionalKey(Metadata).annotate({
    description: "Free-form values of the sender, at most 32 levels deep. Rules can read them as `metadata.<key>`"
  }),
  external_id: Schema.optionalKey(text(255)).annotate({ description: "The id of the entry in its original system" })
}

/** A recent message from another system. Its default timestamp is the current time. */
export const LeadEntry = Schema.Struct({
  ...entry,
  timestamp: Schema.optionalKey(Time).annotate({ description: "The time of the message (ISO 8601). Default: now" })
}).annotate({
  identifier: "LeadEntry",
  description: "A recent message from another system"
})

/** An old message from another system. */
export const ImportedEntry = Schema.Struct({
  ...entry,
  timestamp: Time.annotate({ description: "The time of the message (ISO 8601)" })
}).annotate({ identifier: "ImportedEntry", description: "An old message from another system" })

/** The maximum numbers of entries in one append request and in one import request. */
export const maxEntriesPerAppend = 100
export const maxEntriesPerImport = 1_000

export const AppendEntries = Schema.Struct({
  entries: Schema.Array(LeadEntry)
    .check(Schema.isMinLength(1), Schema.isMaxLength(maxEntriesPerAppend))
    .annotate({ description: "1 to 100 messages" }),
  run_pipeline: RunPipeline
}).annotate({ identifier: "AppendEntries", description: "Recent messages to append to the conversation of a lead" })

export const ImportEntries = Schema.Struct({
  entries: Schema.Array(ImportedEntry)
    .check(Schema.isMinLength(1), Schema.isMaxLength(maxEntriesPerImport))
    .annotate({ description: "1 to 1,000 messages" })
}).annotate({ identifier: "ImportEntries", description: "Old messages to import into the conversation of a lead" })

export const EntriesStored = Schema.Struct({
  lead_id: leadId,
  stored: Schema.Int.annotate({ description: "The number of stored messages" }),
  duplicates: Schema.Int.annotate({ description: "The number of messages that were stored before" }),
  results: Schema.Array(
    Schema.Struct({
      outcome: Schema.Literals(["stored", "duplicate"]).annotate({
        description: "`duplicate`: the message was stored before"
      }),
      message_id: messageId,
      signal_id: Schema.NullOr(Schema.String).annotate({
        description: "The signal that the pipeline processes; null: the pipeline does not run"
      })
    })
  ).annotate({ description: "The results, in the order of the entries in the request" })
}).annotate({ identifier: "EntriesStored", description: "The result of storing messages" })
