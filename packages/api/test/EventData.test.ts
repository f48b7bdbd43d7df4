import { assert, it } from "@effect/vitest"
import { onMigratedFile } from "@leadloom/testkit/MigratedFile"
import { Events } from "@leadloom/core/internal/port/repository/webhook/Events"
import * as Store from "@leadloom/store/internal/Store"
import { eventEnvelope, eventTypes } from "@leadloom/core/internal/domain/webhook/Event"
import { exampleData } from "@leadloom/core/internal/domain/webhook/ExampleData"
import { draftStorySuite } from "@leadloom/testkit/suite/draft/DraftStorySuite"
import { crmAccessSuite } from "@leadloom/testkit/suite/crm/CrmAccessSuite"
import { hostedAccountsSuite } from "@leadloom/testkit/suite/mailbox/HostedAccountsSuite"
import { mailboxReportSuite } from "@leadloom/testkit/suite/mailbox/MailboxReportSuite"
import { intakeSuite } from "@leadloom/testkit/suite/intake/IntakeSuite"
import { leadSuite } from "@leadloom/testkit/suite/lead/LeadSuite"
import { mergeSuite } from "@leadloom/testkit/suite/contact/MergeSuite"
import { pipelineSuite } from "@leadloom/testkit/suite/pipeline/PipelineSuite"
import { outcomeSuite } from "@leadloom/testkit/suite/sending/OutcomeSuite"
import { scheduledSuite } from "@leadloom/testkit/suite/sending/ScheduledSuite"
import { enrolmentSuite } from "@leadloom/testkit/suite/sequence/EnrolmentSuite"
import { holdoutSuite } from "@leadloom/testkit/suite/sequence/HoldoutSuite"
import { limitSuite } from "@leadloom/testkit/suite/sequence/LimitSuite"
import { linkSuite } from "@leadloom/testkit/suite/sequence/LinkSuite"
import { sequenceSuite } from "@leadloom/testkit/suite/sequence/SequenceSuite"
import { sendSuite } from "@leadloom/testkit/suite/sending/SendSuite"
import { assignmentSuite } from "@leadloom/testkit/suite/user/AssignmentSuite"
import { noteSuite } from "@leadloom/testkit/suite/note/NoteSuite"
import { peopleTasksSuite } from "@leadloom/testkit/suite/task/PeopleTasksSuite"
import { correctionSuite } from "@leadloom/testkit/suite/thread/CorrectionSuite"
import { userSuite } from "@leadloom/testkit/suite/user/UserSuite"
import { Effect, Layer, Schema } from "effect"
import { EventEnvelope, eventData } from "../src/schema/EventData.ts"

const written = new Set<string>()
const decode = Schema.decodeUnknownSync(EventEnvelope, { onExcessProperty: "error" })

/** A store that rejects events whose shape is not published. */
const strict = Layer.provideMerge(
  Layer.effect(
    Events,
    Effect.map(Events, (events) =>
      Events.of({
        ...events,
        append: (tenantId, all) =>
          Effect.andThen(
            Effect.sync(() => {
              for (const event of all) {
                decode(JSON.parse(JSON.stringify(eventEnvelope(event))))
                written.add(event.type)
              }
            }),
            events.append(tenantId, all)
          )
      })
    )
  ),
  onMigratedFile((url) => Store.layer({ url }))
)

// Other tests cover the behaviour of these suites. Here the store checks every event that they cause.
intakeSuite("a store of published events", strict)
pipelineSuite("a store of published events", strict)
leadSuite("a store of published events", strict)
mergeSuite("a store of published events", strict)
sendSuite("a store of published events", strict)
outcomeSuite("a store of published events", strict)
scheduledSuite("a store of published events", strict)
sequenceSuite("a store of published events", strict)
enrolmentSuite("a store of published events", strict)
holdoutSuite("a store of published events", strict)
limitSuite("a store of published events", strict)
linkSuite("a store of published events", strict)
draftStorySuite("a store of published events", strict)
crmAccessSuite("a store of published events", strict)
assignmentSuite("a store of published events", strict)
userSuite("a store of published events", strict)
noteSuite("a store of published events", strict)
peopleTasksSuite("a store of published events", strict)
correctionSuite("a store of published events", strict)
hostedAccountsSuite("a store of published events", strict)
mailboxReportSuite("a store of published events", strict)

it("publishes a shape for every event type, and the suites above write each type", () => {
  assert.deepStrictEqual(Object.keys(eventData).toSorted(), [...eventTypes].toSorted())
  assert.deepStrictEqual([...written].toSorted(), [...eventTypes].toSorted())
})

it("accepts examples of the published shapes and rejects other shapes", () => {
  const envelope = { event_id: "evt_1", tenant_id: "acme", timestamp: 1 }
  for (const type of eventTypes) decode({ ...envelope, event_type: type, data: exampleData[type] })
  assert.throws(() => decode({ ...envelope, event_type: "lead.scored", data: exampleData["contact.created"] }))
})
