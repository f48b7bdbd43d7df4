import { Schema } from "effect"
import { Channel, Metadata, text, Time } from "./Field.ts"

/** What a lead or an entry is about. */
export const Subject = Schema.optionalKey(Schema.NullOr(Schema.String.check(Schema.isMaxLength(998))))

/** Whether the pipeline runs. */
export const RunPipeline = Schema.optionalKey(Schema.Boolean).annotate({
  description: "Whether what the contact wrote is classified, scored, routed and answered; default false"
})

/** What every entry has. */
export const entry = {
  channel: Channel,
  body: Schema.String.check(
    Schema.isPattern(/\S/u, { message: "Expected a text that is not empty" }),
    Schema.isMaxLength(100_000)
  ),
  actor: Schema.Literals(["contact", "agent", "assistant", "system"]),
  subject: Subject,
  metadata: Schema.optionalKey(Metadata),
  external_id: Schema.optionalKey(text(255)).annotate({ description: "What the place it comes from calls it" })
}

/** Something that was said elsewhere, just now. */
export const LeadEntry = Schema.Struct({ ...entry, timestamp: Schema.optionalKey(Time) }).annotate({
  identifier: "LeadEntry"
})

/** Something that was said elsewhere, long ago. */
export const ImportedEntry = Schema.Struct({ ...entry, timestamp: Time }).annotate({ identifier: "ImportedEntry" })

/** Entries that one request may append, and that one may import. */
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
  ).annotate({ description: "In the order of the entries" })
}).annotate({ identifier: "EntriesStored" })
