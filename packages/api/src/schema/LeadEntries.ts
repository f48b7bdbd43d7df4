import { Lead } from "@leadloom/core/domain/lead/Lead"
import { Schema } from "effect"
import { Channel, Metadata, text, Time } from "./Field.ts"

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
  ),
  actor: Schema.Literals(["contact", "agent", "assistant", "system"]),
  subject: Schema.optionalKey(Lead.fields.subject),
  metadata: Schema.optionalKey(Metadata),
  external_id: Schema.optionalKey(text(255)).annotate({ description: "The id of the entry in its original system" })
}

/** A recent message from another system. Its default timestamp is the current time. */
export const LeadEntry = Schema.Struct({ ...entry, timestamp: Schema.optionalKey(Time) }).annotate({
  identifier: "LeadEntry"
})

/** An old message from another system. */
export const ImportedEntry = Schema.Struct({ ...entry, timestamp: Time }).annotate({ identifier: "ImportedEntry" })

/** The maximum numbers of entries in one append request and in one import request. */
export const maxEntriesPerAppend = 100
export const maxEntriesPerImport = 1_000

export const AppendEntries = Schema.Struct({
  entries: Schema.Array(LeadEntry).check(Schema.isMinLength(1), Schema.isMaxLength(maxEntriesPerAppend)),
  run_pipeline: RunPipeline
}).annotate({ identifier: "AppendEntries" })

export const ImportEntries = Schema.Struct({
  entries: Schema.Array(ImportedEntry).check(Schema.isMinLength(1), Schema.isMaxLength(maxEntriesPerImport))
}).annotate({ identifier: "ImportEntries" })

export const EntriesStored = Schema.Struct({
  lead_id: Schema.String,
  stored: Schema.Int,
  duplicates: Schema.Int,
  results: Schema.Array(
    Schema.Struct({
      outcome: Schema.Literals(["stored", "duplicate"]),
      message_id: Schema.String,
      signal_id: Schema.NullOr(Schema.String)
    })
  ).annotate({ description: "The results, in the order of the entries in the request" })
}).annotate({ identifier: "EntriesStored" })
