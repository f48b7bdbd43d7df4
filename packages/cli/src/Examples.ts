/** Examples of command lines by command. Tests check that each one is valid and fits in 80 columns with the prompt. */
export const examples: Readonly<Record<string, ReadonlyArray<string>>> = {
  "": ["leadloom serve --demo", "leadloom tenants create acme --name 'Acme Roofing'"],
  serve: ["leadloom serve --demo", "leadloom serve --env-file leadloom.env --port 8080"],
  init: ["leadloom init --out leadloom.env", "leadloom init --out leadloom.env --public-url https://leads.example.com"],
  import: ["leadloom import ~/Maildir --tenant acme", "leadloom import archive.mbox --tenant acme --batch 100"],
  "tenants create": [
    "leadloom tenants create acme --name 'Acme Roofing' \\\n    --preset home_services --time-zone America/Chicago"
  ],
  "tenants list": ["leadloom tenants list --json"],
  "tenants get": ["leadloom tenants get acme"],
  "tenants archive": ["leadloom tenants archive acme"],
  "sources create": [
    "leadloom sources create website --tenant acme",
    "leadloom sources create monitoring --all-tenants"
  ],
  "sources list": ["leadloom sources list --tenant acme"],
  "sources remove": ["leadloom sources remove website --tenant acme"],
  "keys create": [
    "leadloom keys create --tenant acme --name crm",
    "leadloom keys create --tenant acme --name form --scope messages \\\n    --expires 2027-01-01"
  ],
  "keys list": ["leadloom keys list --tenant acme"],
  "keys rotate": ["leadloom keys rotate key_01m7 --tenant acme"],
  "keys revoke": ["leadloom keys revoke key_01m7 --tenant acme"],
  "keys check": ["leadloom keys check leak.txt --revoke", "git log -p | leadloom keys check -"],
  console: [
    "leadloom console",
    "leadloom console --tenant acme --user usr_01m8 --json",
    "leadloom console --role admin"
  ],
  "sessions mint": ["leadloom sessions mint --tenant acme"],
  "pipeline dry-run": [
    "leadloom pipeline dry-run --tenant acme --channel sms \\\n    --message 'What does a new roof cost?'"
  ],
  explain: ["leadloom explain sig_01m8 --tenant acme", "leadloom explain sig_01m8 --tenant acme --verbose"],
  mcp: ["leadloom mcp --tenant acme --api-key-file mcp.key", "leadloom --profile acme mcp --tenant acme"],
  replay: ["leadloom replay sig_01m8 --tenant acme"],
  backtest: [
    "leadloom backtest --tenant acme --rules rules.json",
    "leadloom backtest --tenant acme --config config.json --since 2026-11-01"
  ],
  "config get": ["leadloom config get --tenant acme > config.json"],
  "config edit": ["EDITOR=nano leadloom config edit --tenant acme"],
  "config diff": ["leadloom config diff config.json --tenant acme"],
  "config validate": ["leadloom config validate config.json"],
  "config put": [
    "leadloom config put config.json --tenant acme",
    "leadloom config put config.json --tenant acme --if-version 3"
  ],
  "config presets": ["leadloom config presets"],
  "config scaffold": ["leadloom config scaffold --tenant acme --preset home_services"],
  "config audit": ["leadloom config audit --tenant acme"],
  "config check": ["leadloom config check --env-file leadloom.env"],
  "email connect": [
    "leadloom email connect sales@acme.example --tenant acme --name Sales",
    "leadloom email connect sales@acme.example --tenant acme --provider imap \\\n    --password-file mail.password"
  ],
  "email grants": ["leadloom email grants --tenant acme"],
  "email default": ["leadloom email default grant_01m7 --tenant acme"],
  "email disconnect": ["leadloom email disconnect grant_01m7 --tenant acme"],
  "email send": [
    "leadloom email send --tenant acme --to jo@example.org \\\n    --subject 'Your quote' --body 'Hello Jo'",
    "leadloom email send --tenant acme --to jo@example.org --subject Hi < mail.txt"
  ],
  "email aliases": ["leadloom email aliases --tenant acme", "leadloom email aliases info@acme.example --tenant acme"],
  "email signature": ["leadloom email signature --tenant acme --file signature.txt"],
  "webhooks list": ["leadloom webhooks list --tenant acme"],
  "webhooks create": [
    "leadloom webhooks create --tenant acme --to https://example.org/hooks \\\n    --events lead.created,message.received"
  ],
  "webhooks update": ["leadloom webhooks update wh_01m7 --tenant acme --status active"],
  "webhooks delete": ["leadloom webhooks delete wh_01m7 --tenant acme"],
  "webhooks rotate": ["leadloom webhooks rotate wh_01m7 --tenant acme"],
  "webhooks test": ["leadloom webhooks test wh_01m7 --tenant acme --event lead.created"],
  "webhooks deliveries": ["leadloom webhooks deliveries wh_01m7 --tenant acme --status failed"],
  "webhooks redeliver": ["leadloom webhooks redeliver wh_01m7 dlv_01m7 --tenant acme"],
  "webhooks recover": ["leadloom webhooks recover wh_01m7 --tenant acme --since 2026-11-20"],
  "webhooks listen": [
    "leadloom webhooks listen --tenant acme \\\n    --forward http://127.0.0.1:3000/hooks --secret-file hook.secret"
  ],
  "billing status": ["leadloom billing status --tenant acme"],
  "billing activate": ["leadloom billing activate --tenant acme --plan growth"],
  "contacts export": ["leadloom contacts export --tenant acme --out contacts.csv"],
  "billing credits list": ["leadloom billing credits list --tenant acme --limit 50"],
  "billing credits grant": ["leadloom billing credits grant --tenant acme --amount 40 \\\n    --reference contract-7"],
  "db migrate": ["leadloom db migrate --database sqlite:leadloom-data/leadloom.db"],
  "db status": ["leadloom db status --env-file leadloom.env"],
  "db copy": ["leadloom db copy --from sqlite:leadloom-data/leadloom.db --to @postgres.url"],
  "db backup": ["leadloom db backup --to backups/2026-11-23.db"],
  "db restore": ["leadloom db restore --from backups/2026-11-23.db"],
  "db reseal": ["leadloom db reseal --env-file leadloom.env"],
  "db recount-reports": ["leadloom db recount-reports --tenant acme --env-file leadloom.env"],
  upgrade: ["leadloom upgrade --check", "leadloom upgrade --env-file leadloom.env"],
  "demo day": ["leadloom demo day --contacts 100 --seed 7"],
  doctor: ["leadloom doctor --env-file leadloom.env"],
  api: [
    "leadloom api GET 'tenants/acme/leads?state=open'",
    'leadloom api POST admin/tenants --data \'{"tenant_id":"acme","name":"Acme"}\''
  ],
  commands: ["leadloom commands --json"],
  completion: [
    "leadloom completion bash > ~/.local/share/bash-completion/completions/leadloom",
    "leadloom completion zsh > ~/.zsh/completions/_leadloom",
    "leadloom completion fish > ~/.config/fish/completions/leadloom.fish"
  ]
}
