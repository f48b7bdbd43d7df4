import { writeFileSync } from "node:fs"
import { userInfo } from "node:os"
import { join } from "node:path"
import { certificate, certificateKey } from "../mail/Certificate.ts"

/** The ports of a Dovecot: plain with STARTTLS, and TLS from the first byte. */
export interface DovecotPorts {
  readonly port: number
  readonly tlsPort: number
}

/** The options of a Dovecot. */
export interface DovecotOptions {
  /** The passwords by username. */
  readonly accounts: Readonly<Record<string, string>>
  /** The address of a token introspection (RFC 7662) that returns `active` and `email`. Default: no OAuth. */
  readonly introspectionUrl?: string
}

/**
 * The owner of the mails. Dovecot accesses no mail as root, and rejects root as the user of its login processes. As
 * root, the mails therefore belong to `nobody`, and the other processes run as the users of the package.
 */
export const mailOwner = (): { readonly uid: number; readonly gid: number } => {
  const { gid, uid } = userInfo()
  return uid === 0 ? { uid: 65_534, gid: 65_534 } : { uid, gid }
}

const usersOf = (): string => {
  const { uid, username } = userInfo()
  const owner = mailOwner()
  const internal = uid === 0 ? "" : `default_internal_user = ${username}\ndefault_login_user = ${username}`
  return `${internal}
mail_uid = ${owner.uid}
mail_gid = ${owner.gid}
first_valid_uid = ${owner.uid}
first_valid_gid = ${owner.gid}`
}

const oauthOf = (folder: string, url: string): string => {
  const file = join(folder, "oauth2.conf")
  const lines = [
    `introspection_url = ${url}?token=`,
    "introspection_mode = get",
    "username_attribute = email",
    "active_attribute = active",
    "active_value = true",
    "force_introspection = yes"
  ]
  writeFileSync(file, `${lines.join("\n")}\n`)
  return `auth_mechanisms = plain login xoauth2
passdb {
  driver = oauth2
  mechanisms = xoauth2
  args = ${file}
}`
}

const mailboxes = [
  ["Sent", "\\Sent"],
  ["Archive", "\\Archive"],
  ["Junk", "\\Junk"],
  ["Trash", "\\Trash"],
  ["Drafts", "\\Drafts"]
].map(([name, use]) => `  mailbox ${name} {\n    special_use = ${use}\n    auto = create\n  }`)

const configOf = (folder: string, { port, tlsPort }: DovecotPorts, options: DovecotOptions): string => `
protocols = imap
listen = 127.0.0.1
base_dir = ${folder}/run
state_dir = ${folder}/state
log_path = ${folder}/dovecot.log
ssl = yes
ssl_cert = <${folder}/cert.pem
ssl_key = <${folder}/key.pem
disable_plaintext_auth = no
mail_location = maildir:${folder}/mail/%u
mail_fsync = never
# Linux permits 128 watched folders for each user by default. Dovecot polls the others in this interval.
mailbox_idle_check_interval = 1 s
mail_max_userip_connections = 200
default_client_limit = 4000
default_process_limit = 1500
${usersOf()}
passdb {
  driver = passwd-file
  args = scheme=PLAIN ${folder}/users
}
${options.introspectionUrl === undefined ? "auth_mechanisms = plain login" : oauthOf(folder, options.introspectionUrl)}
userdb {
  driver = static
  args = uid=${mailOwner().uid} gid=${mailOwner().gid} home=${folder}/mail/%u
}
namespace inbox {
  inbox = yes
  separator = /
${mailboxes.join("\n")}
}
service imap-login {
  chroot =
  service_count = 0
  inet_listener imap {
    port = ${port}
  }
  inet_listener imaps {
    port = ${tlsPort}
    ssl = yes
  }
}
service anvil {
  chroot =
}
service stats {
  chroot =
}
service imap {
  process_limit = 1500
}
`

/** Writes the configuration of Dovecot 2.3 and returns its path. */
export const writeDovecotConfig = (folder: string, ports: DovecotPorts, options: DovecotOptions): string => {
  const users = Object.entries(options.accounts).map(([name, password]) => `${name}:${password}\n`)
  writeFileSync(join(folder, "users"), users.join(""))
  writeFileSync(join(folder, "cert.pem"), certificate)
  writeFileSync(join(folder, "key.pem"), certificateKey)
  const config = join(folder, "dovecot.conf")
  writeFileSync(config, configOf(folder, ports, options))
  return config
}
