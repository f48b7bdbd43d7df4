import { defaultConfig } from "../TenantConfig.ts"
import { byHand, everyBusiness, everyGuardrail, isAbout, reply, type Scaffold, says, tag, task } from "./Scaffold.ts"

/**
 * For insurance agencies. Claims have precedence, a cancellation first gets a callback, and replies make no statements
 * about coverage.
 */
export const insurance: Scaffold = {
  name: "insurance",
  title: "Insurance agency",
  description:
    "Agents and brokers: claims first, callbacks before cancellations, quotes by line. Replies contain nothing about coverage.",
  notes: [
    "Replies about coverage or payments are blocked: only the carrier decides, and an agent's statement may bind it."
  ],
  config: {
    ...defaultConfig,
    classifier: "keywords",
    assistant: {
      ...defaultConfig.assistant,
      instructions:
        "Reassuring and exact. Ask for the policy number, what happened and when. Never say what is covered, what will be paid or what a policy costs."
    },
    guardrails: [
      ...everyGuardrail("20:30", "08:00", 3),
      { id: "prices", kind: "no_prices" },
      { id: "certain", kind: "min_confidence", min: 0.3 },
      {
        id: "coverage",
        kind: "blocked_phrases",
        outcome: "block",
        phrases: [
          "you are covered",
          "is covered",
          "fully covered",
          "not covered",
          "claim is approved",
          "claim is denied",
          "will be paid",
          "we will pay",
          "guaranteed coverage",
          "bound as of",
          "coverage is effective"
        ]
      }
    ],
    scoreWeights: { intent: 1.2, has_phone: 1.5, returning_contact: 1.5 },
    rules: [
      ...everyBusiness,
      {
        id: "claim",
        name: "Claims first",
        priority: 10,
        when: {
          any: [
            says("file a claim", "claim number", "my claim", "report a claim", "had an accident", "car accident"),
            says("report the accident", "report an accident", "rear ended", "caught fire", "flooded"),
            says(
              "schaden melden",
              "schadensmeldung",
              "schadenmeldung",
              "unfall gehabt",
              "ins auto gefahren",
              "gestohlen"
            ),
            says(
              "geklaut",
              "eingebrochen",
              "einbruch",
              "wasserschaden",
              "hagelschaden",
              "déclarer un sinistre",
              "sinistre"
            ),
            says("eu un accident", "volé", "volée", "cambriolage", "cambriolés", "dégât des eaux", "dégâts des eaux"),
            says("dar un parte", "siniestro", "un accidente", "robado", "robaron", "daños por agua"),
            says(
              "denunciare un sinistro",
              "sinistro",
              "un incidente",
              "rubato",
              "rubata",
              "un furto",
              "danni da acqua"
            ),
            says(
              "hit my car",
              "was stolen",
              "stolen",
              "break in",
              "burglary",
              "water damage",
              "hail damage",
              "fire damage"
            )
          ]
        },
        actions: [
          tag("claim"),
          task("callback", "Call back about a claim", 30),
          reply(
            "We are sorry to hear that. We will call you back as soon as possible. Please keep photos, receipts and the police report, if there is one.",
            "If anyone is hurt or in danger, call the emergency number first."
          ),
          { type: "stop" }
        ]
      },
      {
        id: "certificate",
        name: "Certificates are sent within the hour",
        priority: 20,
        when: says(
          "certificate of insurance",
          "coi",
          "proof of insurance",
          "insurance card",
          "id card",
          "additional insured",
          "versicherungsbestätigung",
          "evb nummer",
          "attestation d'assurance",
          "certificado de seguro",
          "certificato di assicurazione"
        ),
        actions: [tag("certificate"), task("follow_up", "Send a certificate", 60), ...byHand]
      },
      {
        id: "leaving",
        name: "Cancellations get a callback",
        priority: 30,
        when: {
          any: [
            isAbout("cancellation"),
            says(
              "switch to another",
              "switching to another",
              "found a cheaper",
              "non renewal",
              "switching carriers",
              "versicherung wechseln",
              "günstigeres angebot",
              "changer d'assureur",
              "cambiar de aseguradora",
              "cambiare assicurazione"
            )
          ]
        },
        actions: [tag("leaving"), task("callback", "Call a client who wants to leave", 60), ...byHand]
      },
      {
        id: "payment",
        name: "Payments and invoices",
        priority: 40,
        when: says(
          "payment",
          "invoice",
          "autopay",
          "past due",
          "billing",
          "lapsed",
          "reinstate",
          "rechnung",
          "lastschrift",
          "mahnung",
          "beitragsrechnung",
          "facture",
          "prélèvement",
          "impayé",
          "factura",
          "recibo",
          "domiciliación",
          "fattura",
          "bolletta",
          "addebito"
        ),
        actions: [tag("payment"), task("callback", "Settle a payment", 240)]
      },
      {
        id: "change",
        name: "Changes to a policy",
        priority: 50,
        when: says(
          "add a driver",
          "new car",
          "change my address",
          "new address",
          "remove a driver",
          "add my spouse",
          "renewal",
          "umgezogen",
          "neue adresse",
          "adresse ändern",
          "fahrer hinzufügen",
          "nouvelle adresse",
          "déménagé",
          "ajouter un conducteur",
          "nueva dirección",
          "añadir un conductor",
          "nuovo indirizzo",
          "aggiungere un conducente"
        ),
        actions: [
          tag("policy_change"),
          task("follow_up", "Change a policy", 480),
          reply(
            "Thank you. Please send us your policy number and the day from which it applies; we confirm every change in writing."
          )
        ]
      },
      {
        id: "auto_line",
        name: "Cars",
        priority: 60,
        when: says(
          "car insurance",
          "auto insurance",
          "insure my car",
          "motorcycle",
          "my vehicle",
          "kfz versicherung",
          "autoversicherung",
          "motorradversicherung",
          "assurance auto",
          "d'assurance auto",
          "l'assurance auto",
          "un'assicurazione auto",
          "l'assicurazione auto",
          "assurance voiture",
          "assurance moto",
          "seguro de coche",
          "seguro del coche",
          "seguro de moto",
          "assicurazione auto",
          "assicurazione moto",
          "rc auto"
        ),
        actions: [tag("auto")]
      },
      {
        id: "home_line",
        name: "Homes",
        priority: 61,
        when: says(
          "home insurance",
          "homeowners",
          "renters insurance",
          "condo",
          "flood insurance",
          "landlord insurance",
          "hausratversicherung",
          "wohngebäudeversicherung",
          "assurance habitation",
          "d'assurance habitation",
          "l'assurance habitation",
          "seguro de hogar",
          "assicurazione casa"
        ),
        actions: [tag("home")]
      },
      {
        id: "life_line",
        name: "Life and health",
        priority: 62,
        when: says(
          "life insurance",
          "term life",
          "health insurance",
          "disability insurance",
          "medicare",
          "lebensversicherung",
          "krankenversicherung",
          "assurance vie",
          "mutuelle",
          "seguro de vida",
          "seguro médico",
          "assicurazione vita",
          "assicurazione sanitaria"
        ),
        actions: [tag("life_health")]
      },
      {
        id: "business_line",
        name: "Businesses",
        priority: 63,
        when: says(
          "business insurance",
          "general liability",
          "workers comp",
          "commercial auto",
          "professional liability",
          "betriebshaftpflicht",
          "responsabilité civile professionnelle",
          "seguro de empresa",
          "responsabilità civile professionale"
        ),
        actions: [tag("commercial"), task("callback", "Call a business", 60)]
      },
      {
        id: "quote",
        name: "Quotes",
        priority: 70,
        when: isAbout("pricing", "purchase", "information", "booking"),
        actions: [
          tag("quote"),
          task("callback", "Prepare a quote", 120),
          reply("Thank you for asking us. What would you like to insure, from which date, and may we call you today?")
        ]
      }
    ]
  }
}
