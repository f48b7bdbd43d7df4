import { scenesOn } from "../Scene.ts"
import { assert, describe } from "@effect/vitest"
import { PersonalData } from "@leadloom/core/internal/port/repository/contact/PersonalData"
import { Tasks } from "@leadloom/core/internal/port/repository/lead/Tasks"
import { exportedTables } from "@leadloom/core/internal/domain/privacy/DataInventory"
import type { Json } from "@leadloom/core/internal/domain/text/Json"
import { Effect, SchemaAST } from "effect"
import { forged } from "./ForgedArchive.ts"
import { exported, freshPlace, imported, mergeThem, type Story, playStory } from "./PrivacyWorld.ts"
import { idOf } from "../Records.ts"
import type { StoreLayer } from "../StoreLayer.ts"

const mail = { to: "sales@acme.com", subject: "A roof", body: "How much?", answers: null, minutes: 1 } as const

/** A small history with rows of every kind. */
const story: Story = {
  mails: [
    { ...mail, from: "jo@customer.example" },
    { ...mail, from: "Ann <ann@other.example>" }
  ],
  titles: ["call"],
  replies: ["soon"],
  bounced: [],
  suggested: true,
  merges: [{ into: 0, from: 1, undone: false }]
}

const attachment = { filename: "a.pdf", contentType: "application/pdf", size: 1, contentId: null, inline: false }
const classification = { intent: "pricing", urgency: "low", sentiment: "neutral", summary: "", confidence: 1 }
const result = { classification: null, score: null, matchedRules: [], actions: [], reply: null, steps: [] }
const step = { step: "reply", outcome: "done", reason: "" }

/** Values that this service never writes: table, column, value, and the path that the error must contain. */
const strange: ReadonlyArray<readonly [kind: string, column: string, value: Json, place: string]> = [
  ["contacts", "tags", "vip", "tags"],
  ["contacts", "tags", ["vip", 1], "tags.1"],
  ["contacts", "attributes", ["x"], "attributes"],
  ["contacts", "attributes", { size: { deep: true } }, "attributes.size"],
  ["messages", "to_addresses", [null], "to_addresses.0"],
  ["messages", "cc_addresses", [["a@b.example"]], "cc_addresses.0"],
  ["messages", "reply_to", {}, "reply_to"],
  ["messages", "reference_ids", [7], "reference_ids.0"],
  ["messages", "flags", ["sender_unverified", "haunted"], "flags.1"],
  ["messages", "attachments", [{}], "attachments.0.filename"],
  ["messages", "attachments", [{ ...attachment, size: "1" }], "attachments.0.size"],
  ["messages", "attachments", [{ ...attachment, stored: "yes" }], "attachments.0.stored"],
  ["messages", "attachments", [{ ...attachment, icon: 1 }], "attachments.0.icon"],
  ["messages", "metadata", [], "metadata"],
  ["messages", "metadata", null, "metadata"],
  ["leads", "factors", [{ name: "x", points: null }], "factors.0.points"],
  ["leads", "classification", { ...classification, urgency: "now" }, "classification.urgency"],
  ["lead_scores", "factors", ["x"], "factors.0"],
  ["lead_scores", "recommended_actions", [{}], "recommended_actions.0"],
  ["lead_scores", "classification", [], "classification"],
  ["runs", "result", {}, "result.classification"],
  ["runs", "result", { ...result, steps: [{ ...step, step: "guess" }] }, "result.steps.0.step"],
  ["runs", "result", { ...result, reply: { text: "x" } }, "result.reply"],
  ["activities", "data", "x", "data"],
  ["activities", "type", "slept", "type"],
  ["guard_evaluations", "outcome", "maybe", "outcome"],
  ["tasks", "priority", "soon", "priority"],
  ["conversations", "last_channel", "pigeon", "last_channel"]
]

/** Tests on a store that an import rejects values that later reads could not handle. */
export const shapeSuite = (name: string, store: StoreLayer): void => {
  const scene = scenesOn(store)
  describe(`a value inside a JSON column of an archive, on ${name}`, () => {
    scene("is rejected with its path if this service could not have written it", () =>
      Effect.gen(function* () {
        yield* mergeThem("acme", story, yield* playStory("acme", story))
        const archive = yield* exported("acme")
        for (const [index, [kind, column, value, place]] of strange.entries()) {
          yield* freshPlace(`copy${index}`)
          const refused = yield* Effect.flip(imported(`copy${index}`, forged(archive, kind, { [column]: value })))
          assert.strictEqual(refused._tag, "ArchiveInvalid")
          const [entry, reason] = refused._tag === "ArchiveInvalid" ? [refused.entry, refused.reason] : ["", ""]
          assert.strictEqual(entry, `${kind}/000001.jsonl, line 1`)
          assert.match(reason, new RegExp(`\\b${place.replaceAll(".", "\\.")}\\b`, "u"), `${kind}.${column}`)
          const of = exportedTables.find((one) => one.name === kind)
          const came = of === undefined ? [] : yield* (yield* PersonalData).page(`copy${index}`, of, null, null, 9)
          assert.deepStrictEqual(came, [])
        }
        yield* freshPlace("whole")
        assert.isAbove((yield* imported("whole", archive))["runs"]?.imported ?? 0, 0)
      })
    )

    scene("keeps the priority of tasks, which is normal in archives from before the field existed", () =>
      Effect.gen(function* () {
        yield* playStory("source", { ...story, merges: [] })
        const tasks = yield* Tasks
        const task = yield* tasks.get("source", idOf("task", 0))
        yield* tasks.update({ ...task, priority: "urgent" })
        const archive = yield* exported("source")
        for (const [place, file, priority] of [
          ["same", archive, "urgent"],
          ["older", forged(archive, "tasks", { priority: undefined }, "valid"), "normal"]
        ] as const) {
          yield* freshPlace(place)
          yield* imported(place, file)
          assert.strictEqual((yield* tasks.get(place, task.taskId)).priority, priority)
        }
      })
    )

    scene("has a known shape in every exported JSON column", () =>
      Effect.sync(() => {
        for (const { columns, name: kind, schemas } of exportedTables) {
          const json = Object.entries(columns).flatMap(([column, type]) => (type.startsWith("json") ? [column] : []))
          assert.deepStrictEqual(
            json.filter((column) => schemas[column] === undefined || SchemaAST.isUnknown(schemas[column].ast)),
            [],
            kind
          )
        }
      })
    )
  })
}
