import { everySuite } from "@leadloom/testkit/suite/EverySuite"
import { temporaryStore } from "./TemporaryStore.ts"

everySuite({
  name: "SQLite",
  store: temporaryStore,
  live: temporaryStore,
  firstSyncContacts: 1_000,
  billingOrders: 40
})
