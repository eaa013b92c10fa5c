import { type LogoImage, readLogoImage } from '../image/logo-image.ts';
import { readNamedFile } from './read-named-file.ts';
import type { Environment } from './variables.ts';

/** The company that runs the service, as its pages show it. Every field is optional. */
export interface OperatorConfig {
  name: string | undefined;
  logo: LogoImage | undefined;
  /** `#rrggbb` */
  colour: string | undefined;
  privacyUrl: string | undefined;
  termsUrl: string | undefined;
  helpUrl: string | undefined;
}

/** @param problems gets the fault of a logo that can't be used */
export function readOperator(values: Environment, problems: string[]): OperatorConfig {
  return {
    name: values.OPERATOR_NAME,
    logo: values.OPERATOR_LOGO === undefined ? undefined : readLogo(values.OPERATOR_LOGO, problems),
    colour: values.OPERATOR_COLOR,
    privacyUrl: values.OPERATOR_PRIVACY_URL,
    termsUrl: values.OPERATOR_TERMS_URL,
    helpUrl: values.OPERATOR_HELP_URL,
  };
}

function readLogo(path: string, problems: string[]): LogoImage | undefined {
  const bytes = readNamedFile('OPERATOR_LOGO', path, problems);
  if (bytes === undefined) return undefined;
  const logo = readLogoImage(bytes);
  if (!('fault' in logo)) return logo;
  problems.push(`OPERATOR_LOGO: the image ${logo.fault}`);
  return undefined;
}
