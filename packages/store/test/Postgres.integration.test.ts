import { everySuite } from "@leadloom/testkit/suite/EverySuite"
import { storeSuite } from "@leadloom/testkit/suite/store/StoreSuite"
import { livePostgres, temporaryPostgres } from "./TemporaryPostgres.ts"

storeSuite("Postgres", temporaryPostgres)
everySuite({
  name: "Postgres",
  store: temporaryPostgres,
  live: livePostgres,
  firstSyncContacts: 100,
  billingOrders: 20
})
