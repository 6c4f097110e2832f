/** Keys and certificates for the table, each made anew in every run. */
import { generateKeyPairSync } from "node:crypto";
import { recipient } from "../support/sealed-box";
import { openSshKey } from "../support/ssh";
import { makeCertificate, makeCertificateRequest } from "../support/x509";

export const sshKey = (comment: string): string =>
  `${openSshKey(generateKeyPairSync("ed25519").publicKey)} ${comment}`;

const root = makeCertificate({ ca: true });

export const authority = (): string => makeCertificate({ ca: true }).pem;

export function leaf(name: string): { certificatePem: string; privateKeyPem: string } {
  const { pem, privateKeyPem } = makeCertificate({ issuer: root, dnsNames: [name] });
  return { certificatePem: pem + root.pem, privateKeyPem };
}

export const request = (): string => makeCertificateRequest().pem;

export const days = (count: number): string =>
  new Date(Math.floor(Date.now() / 1000) * 1000 + count * 86_400_000).toISOString().replace(".000Z", "Z");

export const sealingKey = (): string => recipient().publicKey;
