# Starts the player with Edge at sign-in, and again every minute if it is not running. Run it as administrator, signed
# in as the account that shows the player. The screen and the machine stay on.
#Requires -RunAsAdministrator
$ErrorActionPreference = 'Stop'
$url = '{{url}}'
$edge = "${env:ProgramFiles(x86)}\Microsoft\Edge\Application\msedge.exe"
if (-not (Test-Path $edge)) { throw "Edge is not at $edge." }
$arguments = "--kiosk $url --edge-kiosk-type=fullscreen --no-first-run " +
  "--autoplay-policy=no-user-gesture-required --user-data-dir=`"$env:LOCALAPPDATA\MarqueePlayer`""
foreach ($setting in 'monitor-timeout-ac', 'standby-timeout-ac', 'hibernate-timeout-ac') {
  powercfg /change $setting 0
}
$action = New-ScheduledTaskAction -Execute $edge -Argument $arguments
$atSignIn = New-ScheduledTaskTrigger -AtLogOn -User "$env:USERDOMAIN\$env:USERNAME"
$everyMinute = New-ScheduledTaskTrigger -Once -At (Get-Date) -RepetitionInterval (New-TimeSpan -Minutes 1)
$settings = New-ScheduledTaskSettingsSet -MultipleInstances IgnoreNew -ExecutionTimeLimit ([TimeSpan]::Zero) `
  -AllowStartIfOnBatteries -DontStopIfGoingOnBatteries
Register-ScheduledTask -TaskName 'Marquee player' -Action $action -Trigger $atSignIn, $everyMinute `
  -Settings $settings -Force | Out-Null
Start-ScheduledTask -TaskName 'Marquee player'
