import { createClient } from "@leadloom/client"
import type { Receiver } from "../src/day/Receiver.ts"
import { readDemoConfig } from "../src/demo/Arrivals.ts"
import { demoTenant } from "../src/demo/Setup.ts"
import type { Demo } from "./ExampleDemo.ts"
import * as Answers from "./ExampleAnswers.ts"
import * as Contacts from "./ExampleContacts.ts"
import * as Inbox from "./ExampleInbox.ts"
import * as Operations from "./ExampleOperations.ts"
import { providerExamples } from "./ExampleProviders.ts"
import type { Recorder } from "./ExampleRecorder.ts"
import * as Staff from "./ExampleStaff.ts"
import * as Tenant from "./ExampleTenant.ts"
import * as Workspace from "./ExampleWorkspace.ts"

interface Stage {
  readonly adminKey: string
  readonly recorder: Pick<Recorder, "add" | "call" | "examples">
  readonly receiver: Receiver
  readonly url: string
}

const sections: ReadonlyArray<(demo: Demo) => Promise<void>> = [
  Tenant.open,
  Tenant.credentials,
  Tenant.settings,
  Tenant.channels,
  Tenant.arrivals,
  Staff.users,
  Workspace.people,
  Workspace.merges,
  Workspace.threads,
  Workspace.leads,
  Workspace.work,
  Answers.answers,
  Contacts.records,
  Contacts.identities,
  Inbox.inbox,
  Inbox.help,
  Inbox.mail,
  Operations.runs,
  Operations.batches,
  Operations.senders,
  Operations.deliveries,
  Operations.records,
  Operations.endings
]

/** Plays a morning at Larkspur Roofing and calls every operation that works without an outside provider. */
export const scenario = async ({ adminKey, receiver, recorder, url }: Stage): Promise<void> => {
  const call: Recorder["call"] = (operation, options = {}) => recorder.call(operation, { as: adminKey, ...options })
  const nobody = { contact_id: "" }
  const demo: Demo = {
    adminKey,
    call,
    client: createClient({ baseUrl: url, credential: adminKey }),
    receiver,
    keys: { adminKey, sessionSecret: "", apiKey: null, sourceKeys: {}, fed: false },
    key: "",
    settings: await readDemoConfig(),
    grant: "",
    webhook: {},
    contact: nobody,
    other: nobody,
    pages: []
  }
  for (const section of sections) await section(demo)
  for (const [operation, example] of Object.entries(providerExamples(recorder.examples))) {
    if (!recorder.examples.has(operation)) await recorder.add(operation, example)
  }
  await call("tenants.archive", { params: { tenant_id: demoTenant } })
  await call("tenants.restore", { params: { tenant_id: demoTenant } })
}
