{{/* What the pods of all services share. */}}

{{- define "marquee.name" -}}
{{- .Release.Name | trunc 40 | trimSuffix "-" -}}
{{- end -}}

{{- define "marquee.tag" -}}
{{- .Values.image.tag | default .Chart.AppVersion -}}
{{- end -}}

{{/* Labels of a part: (list $ "api") */}}
{{- define "marquee.selector" -}}
app.kubernetes.io/name: marquee
app.kubernetes.io/instance: {{ (index . 0).Release.Name }}
app.kubernetes.io/component: {{ index . 1 }}
{{- end -}}

{{- define "marquee.labels" -}}
{{ include "marquee.selector" . }}
app.kubernetes.io/version: {{ (index . 0).Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ (index . 0).Release.Service }}
helm.sh/chart: marquee-{{ (index . 0).Chart.Version }}
{{- end -}}

{{/* No rights: the user `node` of the image, who owns nothing but what is mounted. More of `securityContext` may follow. */}}
{{- define "marquee.pod" -}}
{{- with .Values.image.pullSecrets -}}
imagePullSecrets:
  {{- range . }}
  - {name: {{ . }}}
  {{- end }}
{{ end -}}
automountServiceAccountToken: false
enableServiceLinks: false
securityContext:
  runAsNonRoot: true
  runAsUser: 1000
  runAsGroup: 1000
  fsGroup: 1000
  fsGroupChangePolicy: OnRootMismatch
  seccompProfile: {type: RuntimeDefault}
{{- end -}}

{{/* The pods of a service, no two on one machine where there are others: (list $ "api") */}}
{{- define "marquee.service" -}}
metadata:
  labels:
    {{- include "marquee.labels" . | nindent 4 }}
  {{- with (index . 0).Values.podAnnotations }}
  annotations:
    {{- toYaml . | nindent 4 }}
  {{- end }}
spec:
  # Services drain within 10 s.
  terminationGracePeriodSeconds: 15
  topologySpreadConstraints:
    - maxSkew: 1
      topologyKey: kubernetes.io/hostname
      whenUnsatisfiable: ScheduleAnyway
      labelSelector:
        matchLabels:
          {{- include "marquee.selector" . | nindent 10 }}
  {{- include "marquee.pod" (index . 0) | nindent 2 }}
{{- end -}}

{{/* The last part of a container; more mounts may follow: its resources. */}}
{{- define "marquee.container" -}}
securityContext:
  readOnlyRootFilesystem: true
  allowPrivilegeEscalation: false
  capabilities: {drop: [ALL]}
resources:
  {{- toYaml . | nindent 2 }}
volumeMounts:
  - {name: secrets, mountPath: /run/secrets, readOnly: true}
  # For temporary files: the root file system is read-only.
  - {name: tmp, mountPath: /tmp}
{{- end -}}

{{/* The environment of a service: (list $ (list "database_url" ...)), its secrets as files. */}}
{{- define "marquee.environment" -}}
- {name: NODE_ENV, value: production}
- {name: OPS_HOST, value: 0.0.0.0}
- {name: OPS_PORT, value: "9100"}
{{- range index . 1 }}
- {name: {{ upper . }}_FILE, value: /run/secrets/{{ . }}}
{{- end }}
{{- range $name, $value := (index . 0).Values.environment }}
- {name: {{ $name }}, value: {{ $value | quote }}}
{{- end }}
{{- end -}}

{{/* The files of the Secret that a service may read, and no others: as for the environment. */}}
{{- define "marquee.secretVolume" -}}
- name: secrets
  secret:
    secretName: {{ required "existingSecret is missing: the Secret with the engines' addresses and keys" (index . 0).Values.existingSecret }}
    defaultMode: 0440
    items:
      {{- range index . 1 }}
      - {key: {{ . }}, path: {{ . }}}
      {{- end }}
{{- end -}}

{{/* Ready when /readyz says so, which asks the engines too; restarted when the process does not answer for half a minute. */}}
{{- define "marquee.probes" -}}
startupProbe:
  httpGet: {path: /readyz, port: ops}
  periodSeconds: 2
  failureThreshold: 60
readinessProbe:
  httpGet: {path: /readyz, port: ops}
  periodSeconds: 5
  timeoutSeconds: 3
livenessProbe:
  httpGet: {path: /livez, port: ops}
  periodSeconds: 10
  timeoutSeconds: 5
{{- end -}}
