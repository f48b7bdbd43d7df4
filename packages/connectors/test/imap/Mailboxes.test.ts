import { certificate } from "@leadloom/testkit/mail/Certificate"
import { dovecotMissing } from "@leadloom/testkit/imap/Dovecot"
import { startDovecotWorld, startStandInWorld } from "@leadloom/testkit/imap/ImapWorld"
import type { OpenMailbox } from "@leadloom/testkit/suite/mailbox/ImapBox"
import { imapSuite } from "@leadloom/testkit/suite/mailbox/ImapSuite"
import { openMailbox } from "../../src/imap/OpenMailbox.ts"

const open: OpenMailbox = ({ host, port, tlsPort }, login) =>
  openMailbox({ policy: { allowHosts: [port, tlsPort].map((each) => ({ host, port: each })) }, trust: certificate })(
    login
  )

imapSuite("the stand-in", () => startStandInWorld(), open)
imapSuite(
  "the stand-in without extensions",
  () =>
    startStandInWorld([
      "CONDSTORE",
      "QRESYNC",
      "UIDPLUS",
      "ENABLE",
      "UTF8=ACCEPT",
      "SPECIAL-USE",
      "MOVE",
      "LITERAL+",
      "SASL-IR",
      "AUTH=PLAIN"
    ]),
  open
)

imapSuite("Dovecot", () => startDovecotWorld(), open, dovecotMissing())
