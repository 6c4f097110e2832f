import fc from "../../../support/fast-check";
import {
  access,
  acl,
  cel,
  certificate,
  certificateRequest,
  cidr,
  eventType,
  header,
  hostport,
  id,
  labelKey,
  labelValue,
  pem,
  privateKey,
  quote,
  redacted,
  sshCertificate,
  sshKey,
  text,
  time,
  url,
} from "./formats";
import { cpuMilliseconds } from "../../../support/cpu-time";
import { hugeStrings, oddString, same } from "./support";
import { cases } from "../../../support/cases";

type Call = (value: string) => unknown;

const checks: Record<string, Call> = {
  "access.checkTeam": access.checkTeam,
  "acl.check": acl.check,
  "cel.check": cel.check,
  "certificate.checkChain": certificate.checkChain,
  "certificate.checkAuthority": certificate.checkAuthority,
  "certificateRequest.check": certificateRequest.check,
  "cidr.check": cidr.check,
  "eventType.check": eventType.check,
  "header.checkName": header.checkName,
  "header.checkValue": header.checkValue,
  "hostport.check": hostport.check,
  "id.prefixed": id.prefixed("ipp_", "bot_"),
  "id.checkPath": id.checkPath,
  "labelKey.check": labelKey.check,
  "labelValue.check": labelValue.check,
  "privateKey.check": privateKey.check,
  "sshKey.check": sshKey.check,
  "sshKey.checkWithPem": sshKey.checkWithPem,
  "text.byteLimit": text.byteLimit(255),
  "text.charLimit": text.charLimit(255),
  "time.check": time.check,
  "url.checkEndpoint": url.checkEndpoint,
  "url.checkIssuer": url.checkIssuer,
};

const advisers: Record<string, Call> = {
  "access.adviseEmail": access.adviseEmail,
  "access.adviseEmailDomain": access.adviseEmailDomain,
  "access.adviseOrganization": access.adviseOrganization,
  "acl.advise": (value) => (acl.check(value) === undefined ? acl.advise(value) : undefined),
  "cel.advise": cel.advise,
  "certificate.adviseAuthority": certificate.adviseAuthority,
  "certificate.adviseChain": certificate.adviseChain,
  "certificateRequest.advise": certificateRequest.advise,
  "header.adviseValue": header.adviseValue,
  "hostport.advise": (value) => (hostport.check(value) === undefined ? hostport.advise(value) : undefined),
  "labelKey.advise": labelKey.advise,
  "sshCertificate.adviseCriticalOption": sshCertificate.adviseCriticalOption,
  "sshCertificate.adviseCriticalValue": (value) =>
    sshCertificate.adviseCriticalValue("source-address", value),
  "sshCertificate.advisePrincipal": sshCertificate.advisePrincipal,
  "sshKey.advise": sshKey.advise,
  "url.adviseEndpoint": url.adviseEndpoint,
  "url.adviseIssuer": url.adviseIssuer,
  "url.adviseUri": url.adviseUri,
};

const canonicals: Record<string, (value: string) => string> = {
  "access.canonicalEmail": access.canonicalEmail,
  "acl.canonical": acl.canonical,
  "cidr.canonical": cidr.canonical,
  "cidr.canonicalAddress": cidr.canonicalAddress,
  "header.canonicalName": header.canonicalName,
  "header.canonicalValue": header.canonicalValue,
  "hostport.canonical": hostport.canonical,
  "hostport.canonicalHost": hostport.canonicalHost,
  "pem.canonical": pem.canonical,
  "sshKey.canonical": sshKey.canonical,
  "time.canonical": time.canonical,
  "url.canonical": url.canonical,
};

const equalities: Record<string, (a: string, b: string) => boolean> = Object.fromEntries(
  Object.entries(canonicals).map(([name, canonical]) => [
    `same by ${name}`,
    (a, b) => same({ canonical }, a, b),
  ]),
);

const readers: Record<string, Call> = {
  "certificate.checkKeyMatches": (value) => certificate.checkKeyMatches(value, value),
  "cidr.parse": cidr.parse,
  quote,
  redacted,
  "time.toInstant": time.toInstant,
  "url.schemeOf": url.schemeOf,
};

test.each(Object.entries(checks))(
  "%s answers every text with nothing or a short clause on one line",
  (_, check) => {
    fc.assert(
      fc.property(oddString, (value) => {
        const clause = check(value);
        if (clause === undefined) return;
        expect(clause).toMatch(/^must (be|have) /);
        expect(clause).not.toMatch(/[\p{Cc}\p{Cs}\u2028\u2029]/u);
        expect((clause as string).length).toBeLessThan(900);
      }),
    );
  },
);

test.each(Object.entries(advisers))("%s warns with a short clause on one line or not at all", (_, advise) => {
  fc.assert(
    fc.property(oddString, (value) => {
      const clause = advise(value);
      if (clause === undefined) return;
      expect(clause).toMatch(/^(is|has|holds|ends|uses|does|may) /);
      expect(clause).not.toMatch(/[\p{Cc}\p{Cs}\u2028\u2029]/u);
      expect((clause as string).length).toBeLessThan(900);
    }),
  );
});

test("url.adviseEndpoint escapes a lone surrogate in the address that it suggests", () => {
  expect(advisers["url.adviseEndpoint"]!("é/8\ud800")).toMatch(
    /"é\/8\\ud800" has no scheme, did you mean https:\/\/é\/8\\ud800\?$/,
  );
});

test.each(Object.entries(canonicals))(
  "%s changes nothing the second time, whatever the text",
  (_, canonical) => {
    fc.assert(
      fc.property(oddString, (value) => {
        const once = canonical(value);
        expect(canonical(once)).toBe(once);
      }),
    );
  },
);

test.each(Object.entries(equalities))(
  "%s finds every text equal to itself, and does not look at the order",
  (_, same) => {
    fc.assert(
      fc.property(oddString, oddString, (a, b) => {
        expect(same(a, a)).toBe(true);
        expect(same(a, b)).toBe(same(b, a));
      }),
    );
  },
);

test.each(Object.entries(readers))("%s throws at no text", (_, read) => {
  fc.assert(fc.property(oddString, (value) => void read(value)));
});

test.each(Object.entries({ ...checks, ...advisers, ...canonicals, ...readers, ...pairs(equalities) }))(
  "%s takes no quadratic time on a long text",
  async (_, call) => {
    for (const value of hugeStrings.filter((_, i) => i % cases(4, 1) === 0)) {
      // Linear work takes milliseconds, and parsing the CEL less than half a second; quadratic work takes a minute.
      expect(await cpuMilliseconds(() => call(value))).toBeLessThan(2000);
    }
  },
  120_000,
);

function pairs(all: typeof equalities): Record<string, Call> {
  return Object.fromEntries(
    Object.entries(all).map(([name, same]) => [name, (value) => same(value, `${value} `)]),
  );
}
