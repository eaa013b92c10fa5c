import { Group, Image, Text } from '@mantine/core';
import type { LogoData } from './use-logo.ts';

interface LogoImageProps {
  name: string;
  logo: LogoData;
  /** Pixels. */
  size?: number;
}

/** A client's logo with its format, or that there is none. */
export function LogoImage({ name, logo, size = 48 }: LogoImageProps) {
  if (!logo) {
    return (
      <Text size="sm" c="dimmed">
        No logo. Fans see the initials of the name.
      </Text>
    );
  }
  const { dataUrl, kind, width, height } = logo;
  return (
    <Group gap="md">
      <Image src={dataUrl} alt={`Logo of ${name}`} w={size} h={size} p={4} fit="contain" radius="md" bg="white" />
      <Text size="sm" c="dimmed">
        {kind}, {width} × {height} pixels, {(logo.size / 1024).toFixed(1)} KiB
      </Text>
    </Group>
  );
}
