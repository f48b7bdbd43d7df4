import type { Golden } from "./Golden.ts"

/** Golden sentences of the preset `insurance`. */
export const insurance: ReadonlyArray<Golden> = [
  ["en", "support", "medium", "claim", "Someone rear-ended me this weekend and I have to report the accident."],
  ["en", "support", "high", "claim", "Our kitchen caught fire tonight, we need help immediately."],
  ["en", "support", "medium", "claim", "My bike was stolen from the garage, how do I file a claim?"],
  ["en", "information", "medium", "certificate", "Could you send me proof of insurance for my landlord?"],
  ["en", "cancellation", "medium", "leaving", "I'd like to cancel my policy at the end of the month."],
  [
    "en",
    "cancellation",
    "medium",
    "leaving",
    "We are switching to another company and want to terminate the contract."
  ],
  ["en", "support", "medium", "payment", "My last payment bounced, how can I pay the invoice?"],
  ["en", "information", "medium", "change", "We moved. Here is our new address for the policy."],
  ["en", "pricing", "medium", "home_line quote", "How much is home insurance for a small bungalow?"],
  ["en", "pricing", "medium", "auto_line quote", "Please quote car insurance for my son, he is 19."],
  [
    "en",
    "complaint",
    "medium",
    "complaint",
    "Your adjuster was rude and I am going to complain about this to the ombudsman."
  ],
  ["en", "other", "medium", "", "I'm not cancelling, I only wanted to say thanks for the quick help."],
  ["en", "other", "medium", "", "No accident and no damage this year, touch wood!"],
  ["de", "support", "medium", "claim", "Mir ist jemand ins Auto gefahren, ich möchte einen Schaden melden."],
  ["de", "support", "high", "claim", "Bei uns wurde heute Nacht eingebrochen, bitte melden Sie sich dringend."],
  ["de", "cancellation", "medium", "leaving", "Hiermit kündige ich meinen Vertrag fristgerecht."],
  ["de", "pricing", "medium", "auto_line quote", "Was würde eine Kfz-Versicherung für einen Fahranfänger kosten?"],
  ["de", "information", "medium", "change", "Wir sind umgezogen, bitte ändern Sie unsere Adresse."],
  ["de", "other", "medium", "", "Ich will den Vertrag nicht kündigen, keine Sorge."],
  ["fr", "support", "medium", "claim", "Je voudrais déclarer un sinistre : dégât des eaux dans la cuisine."],
  ["fr", "support", "medium", "claim", "On m'a volé ma voiture hier."],
  ["fr", "cancellation", "medium", "leaving", "Je souhaite résilier mon contrat d'assurance."],
  ["fr", "pricing", "medium", "home_line quote", "Pouvez-vous me faire un devis d'assurance habitation ?"],
  ["fr", "complaint", "medium", "complaint", "C'est scandaleux, toujours aucune réponse à mes courriers."],
  ["es", "support", "medium", "claim", "Quiero dar un parte: he tenido un accidente con el coche."],
  ["es", "support", "medium", "claim", "Me han robado la moto del garaje."],
  ["es", "cancellation", "medium", "leaving", "Quiero dar de baja mi póliza."],
  ["es", "pricing", "medium", "auto_line quote", "¿Cuánto costaría un seguro de coche para un conductor novel?"],
  [
    "es",
    "complaint",
    "medium",
    "complaint",
    "Es una vergüenza, llevo tres meses esperando y quiero poner una reclamación."
  ],
  ["it", "support", "medium", "claim", "Devo denunciare un sinistro, ho avuto un incidente stamattina."],
  ["it", "support", "medium", "claim", "Mi hanno rubato lo scooter sotto casa."],
  ["it", "cancellation", "medium", "leaving", "Vorrei disdire la polizza alla scadenza."],
  ["it", "pricing", "medium", "auto_line quote", "Quanto costa un'assicurazione auto per un neopatentato?"],
  ["it", "complaint", "medium", "complaint", "È una vergogna, aspetto ancora il rimborso da mesi."]
]
