/** Certificates: what the account holds of them. */
import { certificateAuthority } from "../resources/certificate-authority";
import type { CertificateAuthority } from "../resources/certificate-authority";
import { sshHostCertificate } from "../resources/ssh-host-certificate";
import type { SshHostCertificate } from "../resources/ssh-host-certificate";
import { sshUserCertificate } from "../resources/ssh-user-certificate";
import type { SshUserCertificate } from "../resources/ssh-user-certificate";
import { tlsCertificate } from "../resources/tls-certificate";
import type { TlsCertificate } from "../resources/tls-certificate";
import { functionsOf } from "../account/readers";
import type { ResultOf } from "../account/readers";

export const sshUserCertificates = functionsOf<ResultOf<SshUserCertificate>>(sshUserCertificate);
/** An SSH user certificate by its id, or the only one that a filter means. Specification: SSH user certificate. */
export const getSshUserCertificate = sshUserCertificates.get;
/** {@link getSshUserCertificate} with Outputs as arguments and as result. */
export const getSshUserCertificateOutput = sshUserCertificates.getOutput;
/** All SSH user certificates. Specification: SSH user certificate. */
export const listSshUserCertificates = sshUserCertificates.list;
/** {@link listSshUserCertificates} with Outputs as arguments and as result. */
export const listSshUserCertificatesOutput = sshUserCertificates.listOutput;

export const sshHostCertificates = functionsOf<ResultOf<SshHostCertificate>>(sshHostCertificate);
/** An SSH host certificate by its id, or the only one that a filter means. Specification: SSH host certificate. */
export const getSshHostCertificate = sshHostCertificates.get;
/** {@link getSshHostCertificate} with Outputs as arguments and as result. */
export const getSshHostCertificateOutput = sshHostCertificates.getOutput;
/** All SSH host certificates. Specification: SSH host certificate. */
export const listSshHostCertificates = sshHostCertificates.list;
/** {@link listSshHostCertificates} with Outputs as arguments and as result. */
export const listSshHostCertificatesOutput = sshHostCertificates.listOutput;

export const certificateAuthorities = functionsOf<ResultOf<CertificateAuthority>>(certificateAuthority);
/** A certificate authority by its id, or the only one that a filter means. Specification: Certificate authority. */
export const getCertificateAuthority = certificateAuthorities.get;
/** {@link getCertificateAuthority} with Outputs as arguments and as result. */
export const getCertificateAuthorityOutput = certificateAuthorities.getOutput;
/** All certificate authorities. Specification: Certificate authority. */
export const listCertificateAuthorities = certificateAuthorities.list;
/** {@link listCertificateAuthorities} with Outputs as arguments and as result. */
export const listCertificateAuthoritiesOutput = certificateAuthorities.listOutput;

export const tlsCertificates = functionsOf<ResultOf<TlsCertificate>>(tlsCertificate);
/** A TLS certificate by its id, or the only one that a filter means. Specification: TLS certificate. */
export const getTlsCertificate = tlsCertificates.get;
/** {@link getTlsCertificate} with Outputs as arguments and as result. */
export const getTlsCertificateOutput = tlsCertificates.getOutput;
/** All TLS certificates; their private keys are never shown. Specification: TLS certificate. */
export const listTlsCertificates = tlsCertificates.list;
/** {@link listTlsCertificates} with Outputs as arguments and as result. */
export const listTlsCertificatesOutput = tlsCertificates.listOutput;
